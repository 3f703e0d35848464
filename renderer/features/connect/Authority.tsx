import { i18n } from '@lingui/core';
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureSentence } from '../../transport/failure-sentence.ts';
import type { Shell } from '../../transport/host.ts';
import classes from './ConnectScreen.module.css';

/** A certificate authority that the app trusts for this server and its authentication service. */
export function Authority({ address, shell }: { address: string; shell: Shell }) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const queryKey = ['authority', address];
  const { data: isChosen, error } = useQuery({
    queryKey,
    queryFn: () => shell.authority(address),
    enabled: isOpen,
    retry: false,
  });
  const { mutate, error: refusal } = useMutation({
    mutationFn: (change: 'choose' | 'remove') => shell.authority(address, change),
    onSuccess(now) {
      client.setQueryData(queryKey, now);
      return client.invalidateQueries({ queryKey: ['sign-in-methods'] });
    },
  });
  const failure = error ?? refusal;
  return (
    <details className={classes.advanced} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{i18n.t('Advanced')}</summary>
      <Text size="sm" mt="xs">
        {isChosen
          ? i18n.t('Trusts your certificate authority for this server and its authentication service')
          : i18n.t('Trusts the certificate authorities of this computer')}
      </Text>
      <Group gap="xs" mt="xs">
        <Button variant="default" size="xs" onClick={() => mutate('choose')}>
          {i18n.t('Choose certificate authority…')}
        </Button>
        {isChosen && (
          <Button variant="default" size="xs" onClick={() => mutate('remove')}>
            {i18n.t('Remove certificate authority')}
          </Button>
        )}
      </Group>
      {failure && (
        <Text size="sm" c="red" role="alert" mt="xs">
          {failureSentence(failure)}
        </Text>
      )}
    </details>
  );
}
