import { i18n } from '@lingui/core';
import {
  IconArrowRight,
  IconBan,
  IconHierarchy,
  IconHome,
  IconListSearch,
  IconLock,
  IconMapOff,
  IconUsersMinus,
  IconVersions,
  IconWorld,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { inSentence } from '../../actions/items.ts';
import { type Room, roomBlockQuery, roomQuery } from '../../api/room.ts';
import { pollWhileLoaded } from '../../components/in-view.ts';
import { StateMessage } from '../../components/LoadStates.tsx';
import { SubjectPage, SubjectTabs } from '../../components/page/SubjectPage.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import type { State } from '../../components/State.tsx';
import { useServer } from '../../console-context.ts';
import { LoadedScreen } from '../../subjects/Loaded.tsx';
import { useTeam } from '../../team/use-team.ts';
import { NotFound } from '../../transport/refusal.ts';
import { ellipsize } from '../../words/clip.ts';
import { RoomMessages } from './messages/RoomMessages.tsx';
import { RoomMemberList } from './RoomMemberList.tsx';
import { RoomOverview } from './RoomOverview.tsx';
import { RoomSpaces } from './RoomSpaces.tsx';
import classes from './Rooms.module.css';
import type { RoomPageSearch } from './room-search.ts';
import { RoomState } from './state/RoomState.tsx';

type Part = NonNullable<RoomPageSearch['part']>;

const shownActions = ['block-room', 'unblock-room', 'purge-room'];

export function RoomScreen() {
  const server = useServer();
  const { roomId } = useParams({ from: '/frame/server/rooms/$roomId' });
  const { part } = useSearch({ from: '/frame/server/rooms/$roomId' });
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const query = useQuery({ ...roomQuery(server, roomId), refetchInterval: pollWhileLoaded });
  const block = useQuery(roomBlockQuery(server, roomId));
  const notFound = <RoomNotFound roomId={roomId} isBlocked={block.data?.block} />;
  // The cached room is obsolete once it has been purged.
  if (query.error instanceof NotFound) return notFound;
  return (
    <LoadedScreen
      query={query}
      loading={i18n.t('Loading room…')}
      failed={i18n.t("Couldn't load room")}
      notFound={notFound}
    >
      {(room) => (
        <SubjectPage
          key={roomId}
          customLayout
          name={nameOf(room)}
          id={room.room_id}
          badges={statesOf(room, block.data?.block)}
          query={query}
          actions={<ActionBar on={{ rooms: [{ roomId, name: nameOf(room) }] }} buttons={shownActions} />}
        >
          <SubjectTabs<Part>
            tabs={[
              { id: 'overview', name: i18n.t('Overview'), content: () => <RoomOverview room={room} /> },
              { id: 'members', name: i18n.t('Members'), content: () => <RoomMemberList room={room} /> },
              { id: 'state', name: i18n.t('State'), content: () => <RoomState room={room} /> },
              { id: 'messages', name: i18n.t('Messages'), content: () => <RoomMessages roomId={roomId} /> },
              { id: 'spaces', name: i18n.t('Spaces'), content: () => <RoomSpaces room={room} /> },
            ]}
            current={part}
            onChange={(part) => navigate({ search: ({ server }) => ({ server, ...(part && { part }) }) })}
          />
        </SubjectPage>
      )}
    </LoadedScreen>
  );
}

const nameOf = (room: Room) => room.name || room.canonical_alias || room.room_id;

function RoomNotFound({ roomId, isBlocked }: { roomId: string; isBlocked: boolean | undefined }) {
  const purge = useTeam()
    .timeline({ kind: 'room', roomId })
    .find((entry) => entry.type === 'action' && entry.action === 'purge-room' && entry.outcome === 'done');
  return (
    <StateMessage
      isScreen
      icon={<IconMapOff size={24} stroke={1.5} />}
      title={purge ? i18n.t('Room deleted') : i18n.t('Unknown room')}
      description={
        <>
          {purge ? (
            <>
              {i18n.t('Deleted by {user}', { user: inSentence(purge.by) })}{' '}
              <RelativeTime timestamp={purge.at} long />.
            </>
          ) : (
            i18n.t('Deleted, or belongs to another server.')
          )}{' '}
          {isBlocked === true && i18n.t("Blocked: local users can't join.")}
          {isBlocked === false && i18n.t('Not blocked. Blocking prevents local users from joining.')}
        </>
      }
    >
      <div className={classes.unknownActions}>
        <ActionBar on={{ rooms: [{ roomId }] }} only={['block-room', 'unblock-room']} />
      </div>
    </StateMessage>
  );
}

function statesOf(room: Room, isBlocked = false): State[] {
  const states: (State & { is: unknown })[] = [
    { is: isBlocked, words: i18n.t('Blocked'), tone: 'danger', icon: IconBan },
    { is: room.tombstoned, words: i18n.t('Replaced'), tone: 'warning', icon: IconArrowRight },
    { is: room.joined_members === 0, words: i18n.t('No members'), tone: 'warning', icon: IconUsersMinus },
    { is: room.encryption, words: i18n.t('Encrypted'), tone: 'success', icon: IconLock },
    { is: room.room_type === 'm.space', words: i18n.t('Space'), tone: 'neutral', icon: IconHierarchy },
    { is: room.join_rules === 'public', words: i18n.t('Public'), tone: 'info', icon: IconWorld },
    { is: room.public, words: i18n.t('In room directory'), tone: 'neutral', icon: IconListSearch },
    { is: room.federatable === false, words: i18n.t('Not federated'), tone: 'neutral', icon: IconHome },
    {
      is: room.version,
      words: i18n.t('Version {version}', { version: ellipsize(room.version ?? '', 30) }),
      tone: 'neutral',
      icon: IconVersions,
    },
  ];
  return states.filter(({ is }) => Boolean(is));
}
