/** The room directory, largest rooms first, with pages in both directions. */
import { type ExpressionBuilder, sql } from 'kysely';
import { maximumPublicRoomsPerPage } from '../../../../shared/api/rooms.ts';
import { contains, textsOf } from '../../../platform/database/query/expressions.ts';
import type { Database, Schema } from '../../../platform/database/schema.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import { asRoom, type RoomRecord } from '../room-store.ts';

/** A page begins after (`f`) or before (`b`) this room. */
export type DirectoryCursor = { direction: 'f' | 'b'; joinedMembers: number; roomId: string };

/** A third-party network of an application service, with a directory of its own. */
export type Network = { appServiceId: string; networkId: string };

type DirectoryQuery = {
  limit?: number | undefined;
  since?: DirectoryCursor | undefined;
  /** Part of the name, topic or main alias. */
  search?: string | undefined;
  /** Room types; null for rooms without one. */
  types?: readonly (string | null)[] | undefined;
  /** The server's own directory if undefined. */
  network?: Network | 'all' | undefined;
};

/** A page with the cursors of the pages before and after it. */
export type DirectoryPage = {
  rooms: RoomRecord[];
  /** Rooms in the directory, regardless of the search. */
  total: number;
  next?: DirectoryCursor;
  previous?: DirectoryCursor;
};

/** Omits rooms without members, and those that users can't join, knock on or read. */
export async function listPublicRooms(
  db: Database,
  { limit, since, search, types, network }: DirectoryQuery,
): Promise<DirectoryPage> {
  const wanted = Math.min(limit || maximumPublicRoomsPerPage, maximumPublicRoomsPerPage);
  const backwards = since?.direction === 'b';
  const direction = backwards ? 'asc' : 'desc';
  const rows = await db
    .selectFrom('rooms')
    .selectAll()
    .where(isListed(network))
    .where('joined_members', '>', 0)
    .where(isOpen)
    .where(matches({ search, types }))
    .where(isBeyond(since))
    .orderBy('joined_members', direction)
    .orderBy('room_id', direction)
    .limit(wanted + 1)
    .execute();
  const page = rows.slice(0, wanted).map(asRoom);
  if (backwards) page.reverse();
  const [first, last] = [page[0], page.at(-1)];
  const more = rows.length > wanted;
  return {
    rooms: page,
    total: await countPublicRooms(db, network),
    ...(last && (backwards || more) && { next: cursorOf('f', last) }),
    ...(first && (backwards ? more : since) && { previous: cursorOf('b', first) }),
  };
}

/** Returns those of these rooms that are published. */
export async function listPublished(db: Database, roomIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('rooms')
    .select('room_id')
    .where('is_public', '=', 1)
    .where('room_id', 'in', sql<string>`${textsOf(db, JSON.stringify(roomIds))}`)
    .execute();
  return new Set(rows.map((row) => row.room_id));
}

type Conditions = ExpressionBuilder<Schema, 'rooms'>;

const isListed = (network: DirectoryQuery['network']) => (eb: Conditions) => {
  if (network === undefined) return eb('is_public', '=', 1);
  const listed = eb
    .selectFrom('app_service_rooms')
    .select('app_service_rooms.room_id')
    .$if(network !== 'all', (query) => query.where(isInNetwork(network as Network)));
  return network === 'all'
    ? eb.or([eb('is_public', '=', 1), eb('room_id', 'in', listed)])
    : eb('room_id', 'in', listed);
};

const isInNetwork =
  ({ appServiceId, networkId }: Network) =>
  (eb: ExpressionBuilder<Schema, 'app_service_rooms'>) =>
    eb.and([eb('app_service_id', '=', appServiceId), eb('network_id', '=', networkId)]);

const isOpen = (eb: Conditions) =>
  eb.or([
    eb('join_rule', 'in', ['public', 'knock', 'knock_restricted']),
    eb('history_visibility', '=', 'world_readable'),
  ]);

const matches =
  ({ search, types }: Pick<DirectoryQuery, 'search' | 'types'>) =>
  (eb: Conditions) => {
    const conditions = [];
    if (search) {
      conditions.push(
        eb.or([
          contains(eb.ref('folded_name'), search.toLowerCase()),
          contains(eb.ref('folded_topic'), search.toLowerCase()),
          contains(eb.ref('canonical_alias'), search),
        ]),
      );
    }
    if (types) {
      const named = types.filter((type) => type !== null);
      conditions.push(
        eb.or([
          ...(named.length > 0 ? [eb('room_type', 'in', named)] : []),
          ...(types.includes(null) ? [eb('room_type', 'is', null)] : []),
        ]),
      );
    }
    return eb.and(conditions);
  };

const isBeyond = (cursor: DirectoryCursor | undefined) => (eb: Conditions) => {
  if (!cursor) return sql<boolean>`1 = 1`;
  const [inclusive, exclusive] = cursor.direction === 'f' ? (['<=', '<'] as const) : (['>=', '>'] as const);
  return eb.and([
    eb('joined_members', inclusive, cursor.joinedMembers),
    eb.or([eb('joined_members', exclusive, cursor.joinedMembers), eb('room_id', exclusive, cursor.roomId)]),
  ]);
};

async function countPublicRooms(db: Database, network: DirectoryQuery['network']): Promise<number> {
  if (network !== undefined) {
    const listed = await db
      .selectFrom('rooms')
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .where(isListed(network))
      .where('joined_members', '>', 0)
      .where(isOpen)
      .executeTakeFirstOrThrow();
    return Number(listed.total);
  }
  const row = await db
    .selectFrom('room_totals')
    .select(({ fn }) => fn.sum<number | string | null>('total').as('total'))
    .where('is_public', '=', 1)
    .where('is_empty', '=', 0)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

const cursorOf = (direction: 'f' | 'b', { joinedMembers, roomId }: RoomRecord): DirectoryCursor => ({
  direction,
  joinedMembers,
  roomId,
});

export async function setAppServiceRoom(
  tx: Tx,
  { appServiceId, networkId }: Network,
  roomId: string,
  isListed: boolean,
): Promise<void> {
  const row = { app_service_id: appServiceId, network_id: networkId, room_id: roomId };
  if (isListed) {
    await tx
      .insertInto('app_service_rooms')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else {
    await tx
      .deleteFrom('app_service_rooms')
      .where('app_service_id', '=', appServiceId)
      .where('network_id', '=', networkId)
      .where('room_id', '=', roomId)
      .execute();
  }
}
