import { i18n } from '@lingui/core';
import { Skeleton } from '@mantine/core';
import { IconTrashX } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { BasketKind } from '../../actions/basket/basket.ts';
import { type Item, type ItemOf, isLocal, keyOf } from '../../actions/items.ts';
import { mediumQuery, parseMxcUri } from '../../api/media.ts';
import { roomBlockQuery, roomQuery } from '../../api/room.ts';
import { userQuery } from '../../api/user.ts';
import { type State, StateMark, States } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { useServer } from '../../console-context.ts';
import { columnsOfUris } from '../../subjects/media/MediaDetail.tsx';
import { mediaStates } from '../../subjects/media-states.ts';
import { RoomLink } from '../../subjects/RoomCell.tsx';
import { roomStates } from '../../subjects/room-states.ts';
import { UserId, UserLink } from '../../subjects/UserCell.tsx';
import { userStates } from '../../subjects/user-states.ts';
import { failureSentence, NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import { serverName } from '../../transport/server-name.ts';

// Details load for visible rows.

type UserItem = ItemOf<'user'>;
type RoomItem = ItemOf<'room'>;
type FileItem = ItemOf<'media'>;

/** Returns the columns for items of one kind. */
export function basketColumns(kind: BasketKind): Column<Item>[] {
  const columns = { user: userColumns, room: roomColumns, media: fileColumns }[kind]();
  return columns as Column<never>[] as Column<Item>[];
}

const statusColumn = () => ({ id: 'status', name: i18n.t('Status'), width: 170, value: null });

const idColumn = (name: string): Column<Item> => ({
  id: 'id',
  name,
  width: 260,
  isMinor: true,
  value: keyOf,
  cell: (item) => <UserId userId={keyOf(item)} />,
});

const userColumns = (): Column<UserItem>[] => [
  { id: 'name', name: i18n.t('User'), width: 240, value: null, cell: (item) => <User {...item} /> },
  idColumn(i18n.t('User ID')),
  { ...statusColumn(), cell: (item) => <UserStatus {...item} /> },
];

/** Remote users have no account here to load. */
function useUser(userId: string) {
  const server = useServer();
  return useQuery({ ...userQuery(server, userId), enabled: isLocal(server, userId) });
}

const User = ({ userId }: UserItem) => <UserLink userId={userId} name={useUser(userId).data?.displayname} />;

function UserStatus({ userId }: UserItem) {
  const isRemote = !isLocal(useServer(), userId);
  return <Status query={useUser(userId)} isRemote={isRemote} statesOf={userStates} />;
}

const roomColumns = (): Column<RoomItem>[] => [
  {
    id: 'name',
    name: i18n.t('Room'),
    width: 260,
    value: ({ name }) => name,
    cell: (item) => <Room {...item} />,
  },
  idColumn(i18n.t('Room ID')),
  { ...statusColumn(), cell: (item) => <RoomStatus {...item} /> },
];

function Room({ roomId, name }: RoomItem) {
  const { data } = useQuery(roomQuery(useServer(), roomId));
  return <RoomLink roomId={roomId} name={data?.name || data?.canonical_alias || name} />;
}

function RoomStatus({ roomId }: RoomItem) {
  const server = useServer();
  const { data } = useQuery(roomBlockQuery(server, roomId));
  return (
    <Status query={useQuery(roomQuery(server, roomId))} statesOf={(room) => roomStates(room, data?.block)} />
  );
}

const fileColumns = (): Column<FileItem>[] => [
  ...columnsOfUris(['upload_name', 'media_type', 'media_length', 'user_id']),
  { ...statusColumn(), cell: (item) => <FileStatus {...item} /> },
  ...columnsOfUris(['uri']),
];

function FileStatus({ uri }: FileItem) {
  const server = useServer();
  const isRemote = parseMxcUri(uri).origin !== serverName(server.connection);
  return <Status query={useQuery(mediumQuery(server, uri))} isRemote={isRemote} statesOf={mediaStates} />;
}

type StatusProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isLoading'>;
  isRemote?: boolean;
  statesOf: (data: Data) => State[];
};

/** Renders the states, or why they're unknown. */
function Status<Data>({ query: { data, error, isLoading }, isRemote = false, statesOf }: StatusProps<Data>) {
  if (error instanceof NotFound && !isRemote) {
    return <StateMark words={i18n.t('Not found')} tone="danger" icon={IconTrashX} />;
  }
  if (data !== undefined) return <States states={statesOf(data)} />;
  if (isLoading) return <Skeleton height={10} width="60%" />;
  if (isRemote) return <span className={cells.quiet}>{i18n.t('Remote')}</span>;
  // Older servers have no details of files.
  if (error instanceof NoSuchEndpoint) return <span className={cells.quiet}>–</span>;
  return (
    <span className={cells.quiet} title={error ? failureSentence(error) : undefined}>
      {i18n.t("Couldn't load")}
    </span>
  );
}
