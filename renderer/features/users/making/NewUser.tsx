import { i18n } from '@lingui/core';
import { Button, Checkbox, Modal, Radio, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { newPassword } from '../../../actions/new-password.ts';
import { offeredQuery } from '../../../api/offered.ts';
import { makeUser, nameAvailableQuery } from '../../../api/user-changes.ts';
import { isMail } from '../../../api/user-list.ts';
import { AskingForm } from '../../../components/AskingForm.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { useTeam } from '../../../team/use-team.ts';
import { serverName } from '../../../transport/server-name.ts';
import classes from '../Users.module.css';
import { SeveralUsers } from './SeveralUsers.tsx';
import { localpartOf, misspelling, takesPasswords, whyNot } from './user-name.ts';

type Props = { opened: boolean; onClose: () => void };

/** Makes accounts: one with all that it can have, or several from a list of names. */
export function NewUser({ opened, onClose }: Props) {
  const [how, setHow] = useState('one');
  // Kept while the dialog is closed: Escape must not lose a pasted list.
  const [text, setText] = useState('');
  const [isAtWork, setAtWork] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={i18n.t('Create user')}
      closeOnClickOutside={false}
      // What was made is shown once: a key that went wrong isn't to lose it.
      closeOnEscape={!isAtWork}
      withCloseButton={!isAtWork}
      size={how === 'one' ? 'md' : 'xl'}
    >
      {!isAtWork && (
        <SegmentedControl
          mb="sm"
          aria-label={i18n.t('Count')}
          value={how}
          onChange={setHow}
          data={[
            { value: 'one', label: i18n.t('One') },
            { value: 'several', label: i18n.t('Several') },
          ]}
        />
      )}
      {how === 'one' ? (
        <OneUser onClose={onClose} />
      ) : (
        <SeveralUsers text={text} onText={setText} onClose={onClose} onAtWork={setAtWork} />
      )}
    </Modal>
  );
}

const pause = 300;

/** Makes an account. Whether its name is free is asked while one types; its password is shown once. */
function OneUser({ onClose }: { onClose: () => void }) {
  const server = useServer();
  const { queryClient } = useConsole();
  const team = useTeam();
  const navigate = useNavigate();
  const [localpart, setLocalpart] = useState('');
  const [displayname, setDisplayname] = useState('');
  const [kind, setKind] = useState<'made' | 'own' | 'none'>('made');
  const [own, setOwn] = useState('');
  const [mail, setMail] = useState('');
  const [admin, setAdmin] = useState(false);

  const { data: offered } = useQuery(offeredQuery(server));
  const hasPasswords = takesPasswords(server, offered);
  const way = hasPasswords ? kind : 'none';
  const [settled] = useDebouncedValue(localpart, pause);
  const misspelt = misspelling(localpart, serverName(server.connection));
  const isMailSpelt = mail.trim() === '' || isMail(mail.trim());
  const hasPassword = way !== 'own' || own !== '';
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
      const password = way === 'made' ? newPassword() : way === 'own' ? own : undefined;
      await makeUser(server, userId, {
        admin,
        ...(displayname.trim() && { displayname: displayname.trim() }),
        ...(password !== undefined && { password }),
        ...(mail.trim() && { threepids: [{ medium: 'email', address: mail.trim() }] }),
      });
      return { userId, password, isOwn: way === 'own' };
    },
    onSuccess: () => {
      team.record({ action: 'make-user', subject: { kind: 'user', userId }, reports: [], outcome: 'done' });
      void queryClient.invalidateQueries({ queryKey: [server.id, 'users'] });
    },
    gcTime: 0,
  });

  if (make.data) {
    const { password, isOwn } = make.data;
    return (
      <div className={classes.form}>
        <p className={classes.text} role="status">
          {i18n.t('{userId} created.', { userId: make.data.userId })}{' '}
          {password === undefined
            ? i18n.t('No password: use another sign-in method or set one later.')
            : isOwn
              ? i18n.t('The user signs in with your chosen password.')
              : i18n.t('The password is shown once and never stored.')}
        </p>
        {password !== undefined && !isOwn && (
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
                params: { userId: make.data.userId },
                search: (current) => ({ server: current.server }),
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

  // What is said of an earlier name is no fault of this one's.
  const refusal = settled === localpart ? free.error : null;
  const fault = localpart === '' ? undefined : (misspelt ?? (refusal ? whyNot(refusal) : undefined));

  function type(text: string) {
    setLocalpart(localpartOf(text, serverName(server.connection)));
    make.reset();
  }

  return (
    <AskingForm
      label={i18n.t('Create user')}
      failure={make.error && !fault ? whyNot(make.error) : undefined}
      busy={make.isPending}
      disabled={!isSpelt || refusal !== null || !isMailSpelt || !hasPassword}
      onSend={make.mutate}
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
      <TextInput
        label={i18n.t('Email')}
        description={i18n.t('For lookup, and for password resets if the server sends email.')}
        value={mail}
        error={!isMailSpelt && i18n.t('Enter a valid email address.')}
        onChange={(event) => setMail(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      {hasPasswords && (
        <Radio.Group
          label={i18n.t('Password')}
          value={kind}
          onChange={(value) => setKind(value as typeof kind)}
        >
          <div className={classes.choices}>
            <Radio size="xs" value="made" label={i18n.t('Generate and show once')} />
            <Radio size="xs" value="own" label={i18n.t('Choose password')} />
            <Radio size="xs" value="none" label={i18n.t('None (other sign-in method)')} />
          </div>
        </Radio.Group>
      )}
      {way === 'own' && (
        <TextInput
          type="password"
          label={i18n.t('User password')}
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
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
    </AskingForm>
  );
}
