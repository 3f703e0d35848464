import { i18n } from '@lingui/core';
import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { newPassword } from '../../actions/new-password.ts';
import { makeUser, nameAvailableQuery } from '../../api/user-changes.ts';
import { failureSentence } from '../../components/FailureMessage.tsx';
import { serverName } from '../../components/server-name.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useTeam } from '../../team/use-team.ts';
import classes from './Users.module.css';

const pause = 300;

type Props = { opened: boolean; onClose: () => void };

export default function NewUser({ opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={i18n.t('Make a user')} closeOnClickOutside={false}>
      <NewUserForm onClose={onClose} />
    </Modal>
  );
}

/** Makes an account. Whether its name is free is asked while one types; its password is shown once. */
function NewUserForm({ onClose }: Pick<Props, 'onClose'>) {
  const server = useServer();
  const { queryClient } = useConsole();
  const team = useTeam();
  const navigate = useNavigate();
  const [localpart, setLocalpart] = useState('');
  const [displayname, setDisplayname] = useState('');
  const [hasPassword, setHasPassword] = useState(true);
  const [admin, setAdmin] = useState(false);

  const [settled] = useDebouncedValue(localpart, pause);
  const misspelt = misspelling(localpart, serverName(server.connection));
  const isSpelt = localpart !== '' && misspelt === undefined;
  const free = useQuery({
    ...nameAvailableQuery(server, settled),
    enabled: isSpelt && settled === localpart,
  });
  const userId = `@${localpart}:${serverName(server.connection)}`;
  const make = useMutation({
    mutationFn: async () => {
      // To make one who is there already would change them.
      await queryClient.fetchQuery(nameAvailableQuery(server, localpart));
      const password = hasPassword ? newPassword() : undefined;
      await makeUser(server, userId, {
        admin,
        ...(displayname.trim() && { displayname: displayname.trim() }),
        ...(password !== undefined && { password }),
      });
      return { userId, password };
    },
    onSuccess: () => {
      team.record({ action: 'make-user', subject: { kind: 'user', userId }, reports: [], outcome: 'done' });
      void queryClient.invalidateQueries({ queryKey: [server.id, 'users'] });
    },
    gcTime: 0,
  });

  if (make.data) {
    const { password } = make.data;
    return (
      <div className={classes.form}>
        <p className={classes.text} role="status">
          {i18n.t('{userId} is made.', { userId: make.data.userId })}{' '}
          {password === undefined
            ? i18n.t('Without a password they sign in by another way, or after one is set.')
            : i18n.t('The password is shown here once, and kept nowhere.')}
        </p>
        {password !== undefined && (
          <output className={classes.secret} aria-label={i18n.t('The new password')}>
            {password}
          </output>
        )}
        <div className={classes.buttons}>
          <Button
            data-autofocus
            onClick={() =>
              navigate({
                to: '/users/$userId',
                params: { userId: make.data.userId },
                search: (current) => ({ server: current.server }),
              })
            }
          >
            {i18n.t('Open their page')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {i18n.t('Close')}
          </Button>
        </div>
      </div>
    );
  }

  // What is said of an earlier name is no fault of this one's.
  const refusal = settled === localpart ? free.error : null;
  const fault = localpart === '' ? undefined : (misspelt ?? (refusal ? whyNot(refusal) : undefined));

  function type(text: string) {
    setLocalpart(localpartOf(text, serverName(server.connection)));
    make.reset();
  }

  function go(event: FormEvent) {
    event.preventDefault();
    if (isSpelt && !make.isPending) make.mutate();
  }

  return (
    <form className={classes.form} onSubmit={go} noValidate>
      <TextInput
        data-autofocus
        label={i18n.t('Name')}
        description={i18n.t('Becomes {userId} and stays so for good.', {
          userId: localpart === '' ? `@…:${serverName(server.connection)}` : userId,
        })}
        required
        value={localpart}
        error={fault}
        onChange={(event) => type(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        label={i18n.t('Display name')}
        value={displayname}
        onChange={(event) => setDisplayname(event.currentTarget.value)}
        autoComplete="off"
      />
      <Checkbox
        size="xs"
        label={i18n.t('With a password, made here and shown to you once')}
        checked={hasPassword}
        onChange={(event) => setHasPassword(event.currentTarget.checked)}
      />
      <Checkbox
        size="xs"
        label={i18n.t('Server administrator')}
        description={
          admin &&
          i18n.t('They can read, change and delete everything on this server, and take your rights away.')
        }
        checked={admin}
        onChange={(event) => setAdmin(event.currentTarget.checked)}
      />
      {make.error && !fault && (
        <p className={classes.failure} role="alert">
          {whyNot(make.error)}
        </p>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={make.isPending} disabled={!isSpelt || refusal !== null}>
          {i18n.t('Make the user')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Cancel')}
        </Button>
      </div>
    </form>
  );
}

/** The name, also where the whole identifier was pasted. */
function localpartOf(text: string, server: string): string {
  const name = text.trim().replace(/^@/, '');
  return name.endsWith(`:${server}`) ? name.slice(0, -server.length - 1) : name;
}

/** As in the specification of identifiers: 255 bytes at most with the server's name. */
const longest = 255;

/** Why a name can be nobody's; undefined where it can be. Matrix specification, "User identifiers". */
function misspelling(localpart: string, server: string): string | undefined {
  if (!/^[a-z0-9._=/+-]*$/.test(localpart)) {
    return i18n.t('Small letters without accents, digits, and . _ = - / + only.');
  }
  if (localpart.split('/').some((part) => part === '.' || part === '..')) {
    return i18n.t('Between slashes “.” and “..” stand for folders: choose another name.');
  }
  const most = longest - `@:${server}`.length;
  return localpart.length > most ? i18n.t('At most {most} characters.', { most }) : undefined;
}

/** The server's refusal of a name, as a person can act on it. */
function whyNot(error: Error): string {
  switch (error instanceof ConnectionFailure && error.values.errcode) {
    case 'M_USER_IN_USE':
      return i18n.t('There is, or was, a user of this name. Choose another one.');
    case 'M_EXCLUSIVE':
      return i18n.t('The name is reserved for an application service. Choose another one.');
    default:
      return failureSentence(error);
  }
}
