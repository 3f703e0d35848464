import { i18n } from '@lingui/core';
import { IconMapOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { type Room, roomBlockQuery, roomQuery } from '../../api/room.ts';
import { pollWhileLoaded } from '../../components/in-view.ts';
import { StateMessage } from '../../components/LoadStates.tsx';
import { SubjectPage, SubjectTabs } from '../../components/page/SubjectPage.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { inSentence } from '../../components/text-hazards.ts';
import { useServer } from '../../console-context.ts';
import { LoadedScreen } from '../../subjects/Loaded.tsx';
import { roomStates } from '../../subjects/room-states.ts';
import { useTeam } from '../../team/use-team.ts';
import { NotFound } from '../../transport/refusal.ts';
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
  // The cached room is obsolete once it has been purged.
  const data = query.error instanceof NotFound ? undefined : query.data;
  return (
    <LoadedScreen
      id={roomId}
      query={{ ...query, data }}
      loading={i18n.t('Loading room…')}
      failed={i18n.t("Couldn't load room")}
      notFound={<RoomNotFound roomId={roomId} isBlocked={block.data?.block} />}
    >
      {(room) => (
        <SubjectPage
          key={roomId}
          customLayout
          name={nameOf(room)}
          id={room.room_id}
          badges={roomStates(room, block.data?.block)}
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
            onChange={(part) => navigate({ search: { ...(part && { part }) } })}
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
