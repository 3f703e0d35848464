import { i18n } from '@lingui/core';
import { IconMapOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { inSentence } from '../../actions/items.ts';
import { type Room, roomBlockQuery, roomQuery } from '../../api/room.ts';
import { StateMessage } from '../../components/LoadStates.tsx';
import { PageTabs } from '../../components/PageTabs.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { SubjectList, SubjectPage } from '../../components/SubjectPage.tsx';
import { useServer } from '../../console-context.ts';
import { pollWhileLoaded } from '../../subjects/in-view.ts';
import { LoadedScreen } from '../../subjects/Loaded.tsx';
import { useTeam } from '../../team/use-team.ts';
import { NotFound } from '../../transport/refusal.ts';
import { RoomMessages } from './messages/RoomMessages.tsx';
import { RoomMemberList } from './RoomMemberList.tsx';
import { RoomOverview } from './RoomOverview.tsx';
import { RoomSpaces } from './RoomSpaces.tsx';
import type { RoomPageSearch } from './room-search.ts';
import { RoomState } from './state/RoomState.tsx';

type Part = NonNullable<RoomPageSearch['part']>;

export function RoomScreen() {
  const server = useServer();
  const { roomId } = useParams({ from: '/frame/server/rooms/$roomId' });
  const { part = 'overview' } = useSearch({ from: '/frame/server/rooms/$roomId' });
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const query = useQuery({ ...roomQuery(server, roomId), refetchInterval: pollWhileLoaded });
  const block = useQuery(roomBlockQuery(server, roomId));
  const notFound = <RoomNotFound roomId={roomId} isBlocked={block.data?.block} />;
  // The cached room is obsolete once it has been purged.
  if (query.error instanceof NotFound) return notFound;
  const tabs: { id: Part; name: string }[] = [
    { id: 'overview', name: i18n.t('Overview') },
    { id: 'members', name: i18n.t('Members') },
    { id: 'state', name: i18n.t('State') },
    { id: 'messages', name: i18n.t('Messages') },
    { id: 'spaces', name: i18n.t('Spaces') },
  ];
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
          actions={<ActionBar on={{ rooms: [{ roomId, name: nameOf(room) }] }} />}
        >
          <PageTabs
            label={i18n.t('Page sections')}
            tabs={tabs}
            current={part}
            onChange={(id) =>
              navigate({
                search: ({ server }) => ({ server, ...(id !== 'overview' && { part: id as Part }) }),
              })
            }
          >
            {part === 'overview' ? (
              <RoomOverview room={room} />
            ) : (
              <SubjectList>
                {part === 'members' && <RoomMemberList room={room} />}
                {part === 'state' && <RoomState room={room} />}
                {part === 'messages' && <RoomMessages roomId={roomId} />}
                {part === 'spaces' && <RoomSpaces room={room} />}
              </SubjectList>
            )}
          </PageTabs>
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
      title={purge ? i18n.t('Room purged') : i18n.t('Unknown room')}
      description={
        <>
          {purge ? (
            <>
              {i18n.t('Purged by {user}', { user: inSentence(purge.by) })}{' '}
              <RelativeTime timestamp={purge.at} />.
            </>
          ) : (
            i18n.t('Deleted, or belongs to another server.')
          )}{' '}
          {isBlocked === true && i18n.t("Blocked: local users can't join.")}
          {isBlocked === false && i18n.t('Not blocked. Blocking prevents local users from joining.')}
        </>
      }
    >
      <ActionBar on={{ rooms: [{ roomId }] }} only={['block-room', 'unblock-room']} />
    </StateMessage>
  );
}

function statesOf(room: Room, isBlocked = false): { words: string; grave: boolean }[] {
  return [
    { is: isBlocked, words: i18n.t('Blocked'), grave: true },
    { is: room.tombstoned, words: i18n.t('Replaced'), grave: true },
    { is: room.joined_members === 0, words: i18n.t('No members'), grave: true },
    { is: room.encryption, words: i18n.t('Encrypted'), grave: false },
    { is: room.public, words: i18n.t('In room directory'), grave: false },
    { is: room.room_type === 'm.space', words: i18n.t('Space'), grave: false },
  ].filter(({ is }) => Boolean(is));
}
