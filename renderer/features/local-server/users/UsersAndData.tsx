import { i18n } from '@lingui/core';
import { Checkbox, TextInput } from '@mantine/core';
import { IconLink, IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Static } from 'typebox';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { createSignInLink, createWorkbenchUser } from '../../../../shared/workbench/people.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { CopyText } from '../../../components/CopyText.tsx';
import { FailureNote } from '../../../components/LoadStates.tsx';
import { PageSection } from '../../../components/page/Page.tsx';
import { useCommands } from '../../../console-context.ts';
import { failureSentence, NotFound } from '../../../transport/refusal.ts';
import { clockWithSeconds } from '../../../words/format.ts';
import classes from '../LocalServer.module.css';
import { useWorkbench } from '../workbench-context.ts';
import { SampleData } from './SampleData.tsx';

export function UsersAndData() {
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <div className={classes.half}>
          <CreateUser />
        </div>
        <div className={classes.half}>
          <SignInLink />
          <SampleData />
        </div>
      </div>
    </div>
  );
}

type CreatedUser = Static<(typeof createWorkbenchUser.response)[200]>;

/** Creates test users. Their credentials are shown until the user leaves, and never stored. */
function CreateUser() {
  const { connection, send } = useWorkbench();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [admin, setAdmin] = useState(false);
  const [users, setUsers] = useState<readonly CreatedUser[]>([]);
  const create = useMutation({
    mutationFn: () =>
      send('POST', createWorkbenchUser.response[200], workbenchPaths.users, { admin, ...(name && { name }) }),
    onSuccess: (user) => {
      setUsers((before) => [user, ...before]);
      setName('');
      void queryClient.invalidateQueries({ queryKey: [connection.id, 'users'] });
    },
    gcTime: 0,
  });
  const submit = () => {
    if (!create.isPending) create.mutate();
  };
  useCommands([
    {
      id: 'create test user',
      label: i18n.t('Create user'),
      group: i18n.t('Local server'),
      keys: ['n'],
      icon: <IconUserPlus size={17} stroke={1.6} />,
      run: submit,
    },
  ]);

  return (
    <PageSection title={i18n.t('Users')} description={i18n.t('Includes everything needed to sign in.')}>
      <form
        className={classes.fields}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit();
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
          <ButtonWithIcon type="submit" icon={IconUserPlus} loading={create.isPending}>
            {i18n.t('Create user')}
          </ButtonWithIcon>
          <Checkbox
            size="xs"
            label={i18n.t('Server admin')}
            checked={admin}
            onChange={(event) => setAdmin(event.currentTarget.checked)}
          />
        </div>
      </form>
      <FailureNote className={classes.message} error={create.error} />
      {users.map((user) => (
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

/** Creates a token for one `m.login.token` login, and a console link with it. */
function SignInLink() {
  const { send } = useWorkbench();
  const [user, setUser] = useState('');
  const create = useMutation({
    mutationFn: () => send('POST', createSignInLink.response[200], workbenchPaths.signInLink, { user }),
    gcTime: 0,
  });
  const link = create.data;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (user && !create.isPending) create.mutate();
  }

  return (
    <PageSection
      title={i18n.t('Sign-in link')}
      description={i18n.t('Single-use, short-lived sign-in without a password.')}
    >
      <form className={classes.fields} onSubmit={submit} noValidate>
        <TextInput
          label={i18n.t('User')}
          placeholder="ada"
          value={user}
          onChange={(event) => setUser(event.currentTarget.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
        <ButtonWithIcon
          type="submit"
          variant="default"
          icon={IconLink}
          disabled={user === ''}
          loading={create.isPending}
        >
          {i18n.t('Create link')}
        </ButtonWithIcon>
      </form>
      {create.error && (
        <p className={classes.message} role="alert">
          {create.error instanceof NotFound
            ? i18n.t('User not found on this server')
            : failureSentence(create.error)}
        </p>
      )}
      {link && (
        <section className={classes.panel} aria-label={i18n.t('Sign-in link')}>
          <p role="status">
            {i18n.t('Valid once, until {time}. Shown once.', {
              time: clockWithSeconds(link.expires_ts),
            })}
          </p>
          <dl className={classes.facts}>
            {link.console_url && (
              <>
                <dt>{i18n.t('Console link')}</dt>
                <dd>
                  <CopyText text={link.console_url} label={i18n.t('Sign-in link')} />
                </dd>
              </>
            )}
            <dt>{i18n.t('Login token')}</dt>
            <dd>
              <CopyText text={link.login_token} label={i18n.t('Login token')} />
            </dd>
          </dl>
        </section>
      )}
    </PageSection>
  );
}
