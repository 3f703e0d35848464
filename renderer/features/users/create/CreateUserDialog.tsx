import { i18n } from '@lingui/core';
import { Anchor, Button, Checkbox, Modal, Radio, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { newPassword } from '../../../actions/new-password.ts';
import { offeredQuery } from '../../../api/supported-endpoints.ts';
import { createUser, nameAvailableQuery } from '../../../api/user-changes.ts';
import { isEmail } from '../../../api/user-list.ts';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { useTeam } from '../../../team/use-team.ts';
import { serverName } from '../../../transport/server-name.ts';
import classes from '../Users.module.css';
import { invalidNameReason, localpartOf, refusalSentence, takesPasswords } from './user-name.ts';

type Props = { opened: boolean; onClose: () => void };

/** Creates one user; several are imported. */
export function CreateUserDialog({ opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={i18n.t('Create user')} closeOnClickOutside={false}>
      <CreateUserForm onClose={onClose} />
    </Modal>
  );
}

const debounceMs = 300;

function CreateUserForm({ onClose }: { onClose: () => void }) {
  const server = useServer();
  const { queryClient } = useConsole();
  const team = useTeam();
  const navigate = useNavigate();
  const [localpart, setLocalpart] = useState('');
  const [displayname, setDisplayname] = useState('');
  const [passwordChoice, setPasswordChoice] = useState<'generated' | 'chosen' | 'none'>('generated');
  const [chosenPassword, setChosenPassword] = useState('');
  const [email, setEmail] = useState('');
  const [admin, setAdmin] = useState(false);

  const { data: offered } = useQuery(offeredQuery(server));
  const hasPasswords = takesPasswords(server, offered);
  const passwordSource = hasPasswords ? passwordChoice : 'none';
  const [debounced] = useDebouncedValue(localpart, debounceMs);
  const nameFault = invalidNameReason(localpart, serverName(server.connection));
  const isEmailValid = email.trim() === '' || isEmail(email.trim());
  const hasPassword = passwordSource !== 'chosen' || chosenPassword !== '';
  const isNameValid = localpart !== '' && nameFault === undefined;
  const availability = useQuery({
    ...nameAvailableQuery(server, debounced),
    enabled: isNameValid && debounced === localpart,
  });
  const userId = `@${localpart}:${serverName(server.connection)}`;
  const create = useMutation({
    mutationFn: async () => {
      // The endpoint updates an existing user, so check first.
      await queryClient.fetchQuery(nameAvailableQuery(server, localpart));
      const password =
        passwordSource === 'generated'
          ? newPassword()
          : passwordSource === 'chosen'
            ? chosenPassword
            : undefined;
      await createUser(server, userId, {
        admin,
        ...(displayname.trim() && { displayname: displayname.trim() }),
        ...(password !== undefined && { password }),
        ...(email.trim() && { threepids: [{ medium: 'email', address: email.trim() }] }),
      });
      return { userId, password, isChosen: passwordSource === 'chosen' };
    },
    onSuccess: () => {
      team.record({ action: 'make-user', subject: { kind: 'user', userId }, reports: [], outcome: 'done' });
      void queryClient.invalidateQueries({ queryKey: [server.id, 'users'] });
    },
    gcTime: 0,
  });

  if (create.data) {
    const { password, isChosen } = create.data;
    return (
      <div className={classes.form}>
        <p className={classes.text} role="status">
          {i18n.t('{userId} created.', { userId: create.data.userId })}{' '}
          {password === undefined
            ? i18n.t('No password: use another sign-in method or set one later.')
            : isChosen
              ? i18n.t('The user signs in with your chosen password.')
              : i18n.t('The password is shown once and never stored.')}
        </p>
        {password !== undefined && !isChosen && (
          <output className={classes.secret} aria-label={i18n.t('New password')}>
            {password}
          </output>
        )}
        <div className={classes.buttons}>
          <Button
            data-autofocus
            onClick={() =>
              navigate({
                to: '/users/$userId',
                params: { userId: create.data.userId },
              })
            }
          >
            {i18n.t('Open user')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {i18n.t('Close')}
          </Button>
        </div>
      </div>
    );
  }

  const refusal = debounced === localpart ? availability.error : null;
  const fault =
    localpart === '' ? undefined : (nameFault ?? (refusal ? refusalSentence(refusal) : undefined));

  const openImport = () => navigate({ to: '/users/import' });

  function changeName(text: string) {
    setLocalpart(localpartOf(text, serverName(server.connection)));
    create.reset();
  }

  return (
    <ConfirmForm
      label={i18n.t('Create user')}
      failure={create.error && !fault ? refusalSentence(create.error) : undefined}
      busy={create.isPending}
      disabled={!isNameValid || refusal !== null || !isEmailValid || !hasPassword}
      onSubmit={create.mutate}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        label={i18n.t('Name')}
        description={i18n.t("Becomes {userId}. This can't be changed.", {
          userId: localpart === '' ? `@…:${serverName(server.connection)}` : userId,
        })}
        required
        value={localpart}
        error={fault}
        onChange={(event) => changeName(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        label={i18n.t('Display name')}
        value={displayname}
        onChange={(event) => setDisplayname(event.currentTarget.value)}
        autoComplete="off"
      />
      <TextInput
        label={i18n.t('Email')}
        description={i18n.t('For lookup, and for password resets if the server sends email.')}
        value={email}
        error={!isEmailValid && i18n.t('Enter a valid email address.')}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      {hasPasswords && (
        <Radio.Group
          label={i18n.t('Password')}
          value={passwordChoice}
          onChange={(value) => setPasswordChoice(value as typeof passwordChoice)}
        >
          <div className={classes.choices}>
            <Radio size="xs" value="generated" label={i18n.t('Generate and show once')} />
            <Radio size="xs" value="chosen" label={i18n.t('Choose password')} />
            <Radio size="xs" value="none" label={i18n.t('None (other sign-in method)')} />
          </div>
        </Radio.Group>
      )}
      {passwordSource === 'chosen' && (
        <TextInput
          type="password"
          label={i18n.t('User password')}
          value={chosenPassword}
          onChange={(event) => setChosenPassword(event.currentTarget.value)}
          autoComplete="new-password"
        />
      )}
      <Checkbox
        size="xs"
        label={i18n.t('Server admin')}
        description={admin && i18n.t('Can control the whole server and remove your rights.')}
        checked={admin}
        onChange={(event) => setAdmin(event.currentTarget.checked)}
      />
      <Anchor component="button" type="button" size="sm" className={classes.several} onClick={openImport}>
        {i18n.t('Import several from CSV')}
      </Anchor>
    </ConfirmForm>
  );
}
