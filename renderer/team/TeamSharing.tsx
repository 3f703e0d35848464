import { i18n } from '@lingui/core';
import { Button, Checkbox } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { HazardText } from '../components/HazardText.tsx';
import { showNotice } from '../components/notice.tsx';
import { useServer } from '../console-context.ts';
import { failureSentence } from '../transport/failure-sentence.ts';
import { list, number } from '../words/format.ts';
import type { RoomStatus } from './room-connection.ts';
import type { LostRoom } from './room-finder.ts';
import classes from './TeamSharing.module.css';
import type { TeamSync } from './team.ts';
import { useTeam } from './use-team.ts';

/** Where marks, notes and actions are kept, and the way to share them. Nothing happens without a click. */
export function TeamSharing() {
  const { sync } = useTeam();
  const { room } = sync;
  switch (room.is) {
    case 'looking':
      return <p className={classes.text}>{i18n.t("Looking for the team's room…")}</p>;
    case 'impossible':
      return (
        <p className={classes.text}>
          {i18n.t('Kept on this machine: this server offers no way to share them.')} {fullSentence(sync)}
        </p>
      );
    case 'absent':
      return <MakeRoom sync={sync} room={room} />;
    case 'offered':
      return <JoinRoom sync={sync} room={room} />;
    case 'open':
      return <OpenRoom sync={sync} room={room} />;
    default:
      return (
        <div className={classes.root}>
          <p className={classes.text}>
            {failureSentence(room.why)} {waitingSentence(sync)}
          </p>
          <div>
            <Button variant="default" onClick={sync.retry}>
              {i18n.t('Try again')}
            </Button>
          </div>
        </div>
      );
  }
}

type RoomAs<Is> = Extract<RoomStatus, { is: Is }>;

function MakeRoom({ sync, room }: { sync: TeamSync; room: RoomAs<'absent'> }) {
  const [asked, setAsked] = useState(false);
  return (
    <div className={classes.root}>
      <p className={classes.text}>
        {sync.isLostWithPage
          ? lostWithPage()
          : i18n.t('Marks and notes are kept on this machine: nobody else sees them.')}{' '}
        {fullSentence(sync)}
      </p>
      {room.lost && (
        <p className={classes.warning}>
          {whyLost(room.lost)}{' '}
          {i18n.t('A new one can take its place: the marks that are known here go along.')}
        </p>
      )}
      {room.takenBy !== undefined && (
        <p className={classes.warning}>
          {i18n.t(
            "{userId} has taken the address of the team's room for another one. It is not used; sharing takes the address back.",
            { userId: room.takenBy },
          )}
        </p>
      )}
      {!asked ? (
        <div>
          <Button variant="default" onClick={() => setAsked(true)}>
            {i18n.t('Share with the team…')}
          </Button>
        </div>
      ) : (
        <Consent sync={sync} onDecline={() => setAsked(false)} />
      )}
    </div>
  );
}

const whyLost = ({ isGone, others }: LostRoom): string =>
  isGone
    ? i18n.t("The team's room is gone: it was deleted, or everybody has left it.")
    : i18n.t(
        "Others than administrators have a say in the team's room by now: {names}. It is not used until that is undone.",
        // Where nobody has more power than others, anyone can get in or has some.
        { names: others.length > 0 ? namesOf(others) : i18n.t('everyone') },
      );

/** Asks before the team room is created: who can read what, and who is invited. */
function Consent({ sync, onDecline }: { sync: TeamSync; onDecline: () => void }) {
  const server = useServer();
  const [invited, setInvited] = useState<readonly string[]>([]);
  const make = useMutation({
    mutationFn: () => sync.makeRoom(invited),
    onSuccess: () =>
      showNotice({
        text:
          invited.length === 0
            ? i18n.t('Team room created')
            : i18n.t(
                '{count, plural, one {Team room created, {names} invited} other {Team room created, # administrators invited}}',
                { count: invited.length, names: namesOf(invited) },
              ),
      }),
  });
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [server.id, 'team-administrators'],
    queryFn: sync.administrators,
    gcTime: 0,
    structuralSharing: false,
  });
  const others = data && [...data].filter((userId) => userId !== server.connection.userId);
  return (
    <section className={classes.consent} aria-label={i18n.t('Share with the team')}>
      <p>
        {i18n.t(
          'Creates a private, unencrypted room on this server for the marks, notes and actions of its administrators. The ones on this machine are added to it.',
        )}
      </p>
      {others?.length === 0 && (
        <p>{i18n.t('You are the only administrator. Others can join when they become one.')}</p>
      )}
      {others && others.length > 0 && (
        <Checkbox.Group
          label={i18n.t('Invite')}
          description={i18n.t(
            'Members can read all marks, notes and actions, including earlier ones. Administrators without an invitation can join later.',
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
      {!others && !error && <p>{i18n.t('Asking…')}</p>}
      {error && <Refusal error={error} />}
      <div className={classes.buttons}>
        {error ? (
          <Button loading={isFetching} onClick={() => refetch()}>
            {i18n.t('Try again')}
          </Button>
        ) : (
          <Button loading={make.isPending} disabled={!others} onClick={() => make.mutate()}>
            {i18n.t('Create team room')}
          </Button>
        )}
        <Button variant="default" onClick={onDecline}>
          {i18n.t('Not now')}
        </Button>
      </div>
      {make.error && <Refusal error={make.error} />}
    </section>
  );
}

function JoinRoom({ sync, room: { room } }: { sync: TeamSync; room: RoomAs<'offered'> }) {
  const join = useMutation({
    mutationFn: sync.joinRoom,
    onSuccess: () => showNotice({ text: i18n.t('Joined the team room') }),
  });
  return (
    <div className={classes.root}>
      <p className={classes.text}>
        {i18n.t(
          "{userId} has made a room in which the administrators share their marks, notes and actions. Yours are kept on this machine until you join; then they go in, and you see the others'.",
          { userId: room.creator },
        )}
      </p>
      <div>
        <Button variant="default" loading={join.isPending} onClick={() => join.mutate()}>
          {i18n.t('Join the team')}
        </Button>
      </div>
      {join.error && <Refusal error={join.error} />}
    </div>
  );
}

function OpenRoom({ sync, room: { room, complete } }: { sync: TeamSync; room: RoomAs<'open'> }) {
  const { connection } = useServer();
  const remove = useMutation({ mutationFn: sync.removeStrangers });
  const { strangers } = room;
  const former = sync.former();
  const members = [...room.memberships]
    .filter(([userId, membership]) => membership === 'join' && !strangers.includes(userId))
    .map(([userId]) => userId);
  return (
    <div className={classes.root}>
      <p className={classes.text}>
        {i18n.t(
          '{count, plural, one {Shared with the administrators; nobody has joined you yet.} other {Shared between # administrators: {names}.}}',
          { count: members.length, names: namesOf(members) },
        )}{' '}
        {!complete && i18n.t('Older entries are still being loaded.')} {waitingSentence(sync)}
      </p>
      {former.length > 0 && (
        <div className={classes.warning}>
          <p>
            {i18n.t(
              '{count, plural, one {A mark does not count, since {names} set it, who is no administrator.} other {# marks do not count, since no administrator set them, but: {names}.}}',
              { count: former.length, names: namesOf([...new Set(former.map(({ by }) => by))]) },
            )}
          </p>
          <Button variant="default" onClick={sync.keepFormer}>
            {i18n.t('Keep these marks as mine')}
          </Button>
        </div>
      )}
      {strangers.length > 0 && (
        <div className={classes.warning} role="alert">
          <p>
            {i18n.t(
              '{count, plural, one {{names} is in the room and is no administrator (any more): what they write there does not count, but they can read it.} other {{names} are in the room and are no administrators (any more): what they write there does not count, but they can read it.}}',
              { count: strangers.length, names: namesOf(strangers) },
            )}
          </p>
          {room.mayRemove(connection.userId) ? (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
              {i18n.t('Remove from the room')}
            </Button>
          ) : (
            <p>{i18n.t('{userId}, who made the room, can remove them.', { userId: room.creator })}</p>
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

const mostNames = 8;

function namesOf(userIds: readonly string[]): string {
  const named = userIds.slice(0, mostNames);
  const left = userIds.length - named.length;
  return list(left > 0 ? [...named, i18n.t('{count} more', { count: number(left) })] : named);
}

const lostWithPage = () =>
  i18n.t('The browser has no room left: what is added is lost when the page closes.');

const fullSentence = ({ isFull }: TeamSync) =>
  isFull
    ? i18n.t('There are as many marks as this machine keeps: the oldest are forgotten for new ones.')
    : '';

function waitingSentence({ waiting, isLostWithPage }: TeamSync): string {
  if (waiting === 0) return '';
  const sentence = i18n.t(
    '{count, plural, one {# entry waits here and is sent later.} other {# entries wait here and are sent later.}}',
    { count: waiting },
  );
  return isLostWithPage ? `${sentence} ${lostWithPage()}` : sentence;
}
