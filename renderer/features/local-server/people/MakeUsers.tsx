import { i18n } from '@lingui/core';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Static } from 'typebox';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { makeUser } from '../../../../shared/workbench/people.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/Page.tsx';
import { useCommands } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/failure-sentence.ts';
import { useBench } from '../bench.ts';
import classes from '../LocalServer.module.css';

type Made = Static<(typeof makeUser.response)[200]>;

/** A user in one click; what they sign in with is shown for as long as one stays here, and is kept nowhere. */
export function MakeUsers() {
  const { connection, send } = useBench();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [admin, setAdmin] = useState(false);
  const [made, setMade] = useState<readonly Made[]>([]);
  const make = useMutation({
    mutationFn: () =>
      send('POST', makeUser.response[200], workbenchPaths.users, { admin, ...(name && { name }) }),
    onSuccess: (user) => {
      setMade((before) => [user, ...before]);
      setName('');
      void queryClient.invalidateQueries({ queryKey: [connection.id, 'users'] });
    },
    gcTime: 0,
  });
  const go = () => {
    if (!make.isPending) make.mutate();
  };
  useCommands([
    {
      id: 'make test user',
      label: i18n.t('Create user'),
      group: i18n.t('Local server'),
      keys: ['n'],
      icon: <IconUserPlus size={17} stroke={1.6} />,
      run: go,
    },
  ]);

  return (
    <PageSection title={i18n.t('Users')} description={i18n.t('Includes everything needed to sign in.')}>
      <form
        className={classes.fields}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          go();
        }}
        noValidate
      >
        <TextInput
          label={i18n.t('Name')}
          placeholder={i18n.t('Generated if empty')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
        <div className={classes.buttons}>
          <Button
            type="submit"
            leftSection={<IconUserPlus size={14} stroke={1.7} aria-hidden />}
            loading={make.isPending}
          >
            {i18n.t('Create user')}
          </Button>
          <Checkbox
            size="xs"
            label={i18n.t('Server admin')}
            checked={admin}
            onChange={(event) => setAdmin(event.currentTarget.checked)}
          />
        </div>
      </form>
      {make.error && (
        <p className={classes.message} role="alert">
          {failureSentence(make.error)}
        </p>
      )}
      {made.map((user) => (
        <section key={user.user_id} className={classes.panel} aria-label={user.user_id}>
          <p role="status">
            {i18n.t('{userId} created. Password and token, shown once:', {
              userId: user.user_id,
            })}
          </p>
          <dl className={classes.facts}>
            <dt>{i18n.t('User ID')}</dt>
            <dd>
              <CopyText text={user.user_id} label={i18n.t('User ID')} />
            </dd>
            <dt>{i18n.t('Password')}</dt>
            <dd>
              <CopyText text={user.password} label={i18n.t('Password')} />
            </dd>
            <dt>{i18n.t('Access token')}</dt>
            <dd>
              <CopyText text={user.access_token} label={i18n.t('Access token')} />
            </dd>
            <dt>{i18n.t('Device')}</dt>
            <dd>
              <CopyText text={user.device_id} label={i18n.t('Device')} />
            </dd>
          </dl>
        </section>
      ))}
    </PageSection>
  );
}
