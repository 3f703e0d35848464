import { i18n } from '@lingui/core';
import { Button, Modal, NativeSelect } from '@mantine/core';
import { IconCopy, IconUserShare } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActingSession } from '../../../shared/acting-sessions.ts';
import type { User } from '../../api/user.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { ConfirmForm } from '../../components/ConfirmForm.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { FailureNote } from '../../components/LoadStates.tsx';
import { exactTime } from '../../components/time.ts';
import { useCommands, useConsole, useServer } from '../../console-context.ts';
import { Fact } from '../../subjects/DetailSection.tsx';
import { useRoleLimit } from '../../team/use-role.ts';
import { useTeam } from '../../team/use-team.ts';
import { failureSentence } from '../../transport/refusal.ts';
import classes from './Users.module.css';

const minuteChoices = [15, 60, 8 * 60];

/** Creates an access token for the user. The token goes to the clipboard and never reaches this page. */
export function LogInAs({ user }: { user: User }) {
  const { id, connection } = useServer();
  const { acting } = useConsole().host;
  const [opened, setOpened] = useState(false);
  const limit = useRoleLimit('lead');
  const applies = user.name !== connection.userId && !user.deactivated && !user.locked;
  const offered = useQuery({
    queryKey: [id, 'acting-offered'],
    queryFn: () => acting.isOffered(id),
    enabled: applies,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const isOffered = applies && !limit && offered.data === true;
  const label = i18n.t('Log in as user');
  useCommands(
    isOffered
      ? [
          {
            id: 'log in as',
            label,
            group: i18n.t('User'),
            icon: <IconUserShare size={17} stroke={1.6} />,
            run: () => setOpened(true),
          },
        ]
      : [],
  );
  if (!applies || limit || offered.data === false || offered.isError) return null;
  return (
    <Fact name={i18n.t('Access token')}>
      <ButtonWithIcon
        variant="default"
        size="compact-xs"
        aria-haspopup="dialog"
        icon={IconUserShare}
        disabled={!isOffered}
        onClick={() => setOpened(true)}
      >
        {label}
      </ButtonWithIcon>
      {opened && (
        <Modal opened onClose={() => setOpened(false)} title={label} closeOnClickOutside={false}>
          <CreateToken userId={user.name} onClose={() => setOpened(false)} />
        </Modal>
      )}
    </Fact>
  );
}

function CreateToken({ userId, onClose }: { userId: string; onClose: () => void }) {
  const server = useServer();
  const { acting } = useConsole().host;
  const team = useTeam();
  const [minutes, setMinutes] = useState(15);
  const record = (outcome: 'done' | 'undone', detail: string) =>
    team.record({ action: 'log-in-as', subject: { kind: 'user', userId }, reports: [], outcome, detail });
  const create = useMutation({
    mutationFn: () => acting.begin(server.id, userId, minutes),
    onSuccess: () => record('done', `${minutes} min`),
  });
  const session = create.data;
  if (session) {
    return <CreatedToken session={session} onRevoked={() => record('undone', '')} onClose={onClose} />;
  }
  return (
    <ConfirmForm
      label={i18n.t('Create token')}
      failure={create.error ? failureSentence(create.error) : undefined}
      busy={create.isPending}
      onSubmit={create.mutate}
      onCancel={onClose}
    >
      <p className={classes.text}>
        <HazardText text={userId} />:{' '}
        {i18n.t(
          'Creates an access token that reads and sends as this user. Encrypted messages stay unreadable.',
        )}
      </p>
      <p className={classes.text}>
        {i18n.t(
          'The token is copied once, never shown or stored. Use it in a private window with a client that accepts access tokens. This is logged.',
        )}
      </p>
      <NativeSelect
        size="xs"
        label={i18n.t('Valid for')}
        data-autofocus
        value={String(minutes)}
        onChange={(event) => setMinutes(Number(event.currentTarget.value))}
        data={minuteChoices.map((choice) => ({
          value: String(choice),
          label:
            choice < 60
              ? i18n.t('{count, plural, one {# minute} other {# minutes}}', { count: choice })
              : i18n.t('{count, plural, one {# hour} other {# hours}}', { count: choice / 60 }),
        }))}
      />
    </ConfirmForm>
  );
}

type CreatedTokenProps = { session: ActingSession; onRevoked: () => void; onClose: () => void };

function CreatedToken({ session: { id, until }, onRevoked, onClose }: CreatedTokenProps) {
  const { acting } = useConsole().host;
  const copy = useMutation({ mutationFn: () => acting.copyToken(id) });
  const revoke = useMutation({ mutationFn: () => acting.end(id), onSuccess: onRevoked });
  const error = copy.error ?? revoke.error;
  return (
    <div className={classes.form}>
      <p className={classes.text} role="status">
        {revoke.isSuccess
          ? i18n.t('Token revoked.')
          : i18n.t('The token expires at {time}.', { time: exactTime(until) })}
      </p>
      {!revoke.isSuccess && (
        <p className={classes.text}>
          {i18n.t('Revoke it here while this is open, or by signing out everywhere.')}
        </p>
      )}
      <FailureNote className={classes.failure} error={error} />
      <div className={classes.buttons}>
        {!revoke.isSuccess && (
          <>
            <ButtonWithIcon
              data-autofocus
              disabled={copy.isSuccess}
              loading={copy.isPending}
              icon={IconCopy}
              onClick={() => copy.mutate()}
            >
              {copy.isSuccess ? i18n.t('Copied') : i18n.t('Copy token')}
            </ButtonWithIcon>
            <Button variant="default" loading={revoke.isPending} onClick={() => revoke.mutate()}>
              {i18n.t('Revoke token')}
            </Button>
          </>
        )}
        <Button variant="default" onClick={onClose}>
          {i18n.t('Close')}
        </Button>
      </div>
    </div>
  );
}
