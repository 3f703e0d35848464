import { i18n } from '@lingui/core';
import { Button, Popover } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteToken, registrationTokensQuery } from '../../api/registration-tokens.ts';
import { failureSentence } from '../../components/FailureMessage.tsx';
import { useServer } from '../../console-context.ts';
import classes from './Tokens.module.css';

/** Deletes the token that is open, after one question. */
export function TokenDeletion({ token, onDeleted }: { token: string; onDeleted: () => void }) {
  const server = useServer();
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteToken(server, token),
    onSuccess() {
      setAsked(false);
      onDeleted();
    },
    onSettled: () => queryClient.invalidateQueries(registrationTokensQuery(server)),
  });
  const label = i18n.t('Delete token');
  return (
    <Popover
      opened={isAsked}
      onChange={setAsked}
      position="bottom-start"
      width="22rem"
      shadow="md"
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          aria-haspopup="dialog"
          aria-expanded={isAsked}
          leftSection={<IconTrash size={14} stroke={1.7} aria-hidden />}
          onClick={() => setAsked(true)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        <div className={classes.question}>
          <p>{i18n.t('Nobody can register with it any more; who did stays. It does not come back.')}</p>
          {remove.error && (
            <p role="alert" className={classes.failure}>
              {failureSentence(remove.error)}
            </p>
          )}
          <div className={classes.buttons}>
            <Button
              className={classes.destructive}
              loading={remove.isPending}
              onClick={() => remove.mutate()}
            >
              {label}
            </Button>
            <Button variant="default" onClick={() => setAsked(false)}>
              {i18n.t('Cancel')}
            </Button>
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
