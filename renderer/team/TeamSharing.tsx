import { i18n } from '@lingui/core';
import { Button, Checkbox } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { LostRoom } from '../../shared/team/find-room.ts';
import { HazardText } from '../components/HazardText.tsx';
import { noticesOf } from '../components/notices.ts';
import { useServer } from '../console-context.ts';
import { failureSentence } from '../transport/refusal.ts';
import { list, number } from '../words/format.ts';
import type { RoomStatus } from './room-connection.ts';
import classes from './TeamSharing.module.css';
import type { TeamSync } from './team.ts';
import { useTeam } from './use-team.ts';

/**
 * Shows where the log is stored and offers to share it. Nothing is sent without a click.
 *
 * @param quiet beside other content: an offer is small
 * @param children buttons beside those of an offer
 */
export function TeamSharing({ quiet = false, children }: { quiet?: boolean; children?: ReactNode }) {
  const { sync } = useTeam();
  const { room } = sync;
  switch (room.is) {
    case 'connecting':
      return <p className={classes.text}>{i18n.t('Loading team room…')}</p>;
    case 'unsupported':
      return (
        <p className={classes.text}>
          {i18n.t("Stored on this device. This server doesn't support sharing.")} {fullSentence(sync)}
        </p>
      );
    case 'absent':
      return (
        <CreateRoom sync={sync} room={room} quiet={quiet}>
          {children}
        </CreateRoom>
      );
    case 'offered':
      return (
        <JoinRoom sync={sync} room={room} quiet={quiet}>
          {children}
        </JoinRoom>
      );
    case 'open':
      return <OpenRoom sync={sync} room={room} />;
    default:
      return (
        <div className={classes.root} data-quiet={quiet || undefined}>
          <p className={classes.failure}>
            <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
            <span>
              {i18n.t('Team room unavailable.')} {failureSentence(room.why)} {pendingSentence(sync)}
            </span>
          </p>
          <div className={classes.buttons}>
            <Button {...offerButton(quiet)} onClick={sync.retry}>
              {i18n.t('Retry')}
            </Button>
          </div>
        </div>
      );
  }
}

type RoomAs<Is> = Extract<RoomStatus, { is: Is }>;

type OfferProps<Is> = { sync: TeamSync; room: RoomAs<Is>; quiet: boolean; children: ReactNode };

const offerButton = (quiet: boolean) => ({ variant: 'default', size: quiet ? 'compact-xs' : 'xs' });

function CreateRoom({ sync, room, quiet, children }: OfferProps<'absent'>) {
  const [isConsenting, setConsenting] = useState(false);
  return (
    <div className={classes.root} data-quiet={quiet || undefined}>
      <p className={classes.text}>
        {sync.isLostWithPage
          ? lostWithPage()
          : i18n.t('Statuses and notes stay on this device, invisible to other admins.')}{' '}
        {fullSentence(sync)}
      </p>
      {room.lost && (
        <p className={classes.warning}>
          {whyLost(room.lost)} {i18n.t('You can create another one. Known statuses are copied.')}
        </p>
      )}
      {room.takenBy !== undefined && (
        <p className={classes.warning}>
          {i18n.t(
            "{userId} moved the team room's alias to another room, which isn't used. Sharing restores the alias.",
            { userId: room.takenBy },
          )}
        </p>
      )}
      {!isConsenting ? (
        <div className={classes.buttons}>
          <Button {...offerButton(quiet)} onClick={() => setConsenting(true)}>
            {i18n.t('Share with team…')}
          </Button>
          {children}
        </div>
      ) : (
        <Consent sync={sync} onDecline={() => setConsenting(false)} />
      )}
    </div>
  );
}

const whyLost = ({ isGone, others }: LostRoom): string =>
  isGone
    ? i18n.t('The team room was deleted or everyone left.')
    : i18n.t(
        "Non-admins have elevated power levels in the team room: {names}. The room isn't used until this is fixed.",
        // Without others, anyone can join, or the default power level is elevated.
        { names: others.length > 0 ? namesOf(others) : i18n.t('everyone') },
      );

/** Confirms creating the team room and selects admins to invite. */
function Consent({ sync, onDecline }: { sync: TeamSync; onDecline: () => void }) {
  const server = useServer();
  const [invited, setInvited] = useState<readonly string[]>([]);
  const create = useMutation({
    mutationFn: () => sync.createRoom(invited),
    onSuccess: () =>
      noticesOf(server).show({
        text:
          invited.length === 0
            ? i18n.t('Team room created')
            : i18n.t('Team room created, {count, plural, one {{names}} other {# admins}} invited', {
                count: invited.length,
                names: namesOf(invited),
              }),
      }),
  });
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [server.id, 'team-administrators'],
    queryFn: sync.administrators,
    gcTime: 0,
    structuralSharing: false,
  });
  const others = data && [...data].filter((userId) => userId !== server.connection.userId);
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height changes with the names
  useEffect(() => {
    // Returns a promise in some browsers, which isn't a cleanup function.
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [others === undefined]);
  return (
    <section ref={section} tabIndex={-1} className={classes.consent} aria-label={i18n.t('Share with team')}>
      <p>
        {i18n.t(
          "Creates a private, unencrypted local room for admins' report statuses, notes and actions. Existing entries on this device are added.",
        )}
      </p>
      {others?.length === 0 && <p>{i18n.t("You're the only admin. Future admins can join.")}</p>}
      {others && others.length > 0 && (
        <Checkbox.Group
          label={i18n.t('Invite')}
          description={i18n.t(
            'Members can read all entries, including earlier ones. Uninvited admins can join later.',
          )}
          value={[...invited]}
          onChange={setInvited}
        >
          <div className={classes.people}>
            {others.map((userId) => (
              <Checkbox key={userId} value={userId} label={<HazardText text={userId} />} size="xs" />
            ))}
          </div>
        </Checkbox.Group>
      )}
      {!others && !error && <p>{i18n.t('Loading…')}</p>}
      {error && <Refusal error={error} />}
      <div className={classes.buttons}>
        {error ? (
          <Button loading={isFetching} onClick={() => refetch()}>
            {i18n.t('Retry')}
          </Button>
        ) : (
          <Button loading={create.isPending} disabled={!others} onClick={() => create.mutate()}>
            {i18n.t('Create team room')}
          </Button>
        )}
        <Button variant="default" onClick={onDecline}>
          {i18n.t('Not now')}
        </Button>
      </div>
      {create.error && <Refusal error={create.error} />}
    </section>
  );
}

function JoinRoom({ sync, room: { room }, quiet, children }: OfferProps<'offered'>) {
  const server = useServer();
  const join = useMutation({
    mutationFn: sync.joinRoom,
    onSuccess: () => noticesOf(server).show({ text: i18n.t('Joined team') }),
  });
  return (
    <div className={classes.root} data-quiet={quiet || undefined}>
      <p className={classes.text}>
        {i18n.t(
          '{userId} created a team room where admins share report statuses, notes and actions. Yours stay on this device until you join.',
          { userId: room.creator },
        )}
      </p>
      <div className={classes.buttons}>
        <Button {...offerButton(quiet)} loading={join.isPending} onClick={() => join.mutate()}>
          {i18n.t('Join team')}
        </Button>
        {children}
      </div>
      {join.error && <Refusal error={join.error} />}
    </div>
  );
}

function OpenRoom({ sync, room: { room, complete } }: { sync: TeamSync; room: RoomAs<'open'> }) {
  const { connection } = useServer();
  const remove = useMutation({ mutationFn: sync.removeNonAdmins });
  const { nonAdmins } = room;
  const former = sync.ignoredMarks();
  const members = [...room.memberships]
    .filter(([userId, membership]) => membership === 'join' && !nonAdmins.includes(userId))
    .map(([userId]) => userId);
  return (
    <div className={classes.root}>
      <p className={classes.text}>
        {i18n.t(
          '{count, plural, one {Shared with admins. No one has joined yet.} other {Shared by # admins: {names}.}}',
          { count: members.length, names: namesOf(members) },
        )}{' '}
        {!complete && i18n.t('Loading older entries…')} {pendingSentence(sync)}
      </p>
      {former.length > 0 && (
        <div className={classes.warning}>
          <p>
            {i18n.t(
              '{count, plural, one {# status} other {# statuses}} ignored: set by non-admins ({names}).',
              { count: former.length, names: namesOf([...new Set(former.map(({ by }) => by))]) },
            )}
          </p>
          <Button variant="default" onClick={sync.adoptIgnoredMarks}>
            {i18n.t('Keep statuses as mine')}
          </Button>
        </div>
      )}
      {nonAdmins.length > 0 && (
        <div className={classes.warning} role="alert">
          <p>
            {i18n.t("Non-admins in the room: {names}. They can read it, but their entries don't count.", {
              names: namesOf(nonAdmins),
            })}
          </p>
          {room.mayRemove(connection.userId) ? (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
              {i18n.t('Kick from room')}
            </Button>
          ) : (
            <p>{i18n.t("{userId}, the room's creator, can kick them.", { userId: room.creator })}</p>
          )}
          {remove.error && <Refusal error={remove.error} />}
        </div>
      )}
    </div>
  );
}

function Refusal({ error }: { error: Error }) {
  return (
    <p className={classes.warning} role="alert">
      <HazardText text={failureSentence(error)} />
    </p>
  );
}

const maxNames = 8;

function namesOf(userIds: readonly string[]): string {
  const named = userIds.slice(0, maxNames);
  const left = userIds.length - named.length;
  return list(left > 0 ? [...named, i18n.t('{count} more', { count: number(left) })] : named);
}

const lostWithPage = () => i18n.t('Browser storage is full. Closing the page loses new entries.');

const fullSentence = ({ isFull }: TeamSync) =>
  isFull ? i18n.t('Storage limit reached. New statuses replace the oldest.') : '';

function pendingSentence({ pending, isLostWithPage }: TeamSync): string {
  if (pending === 0) return '';
  const sentence = i18n.t('{count, plural, one {# entry} other {# entries}} waiting to be sent.', {
    count: pending,
  });
  return isLostWithPage ? `${sentence} ${lostWithPage()}` : sentence;
}
