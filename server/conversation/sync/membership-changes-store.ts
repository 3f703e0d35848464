/** A user's memberships and their changes, and rooms with new events. */
import { sql } from 'kysely';
import { readJson } from '../../../shared/read-json.ts';
import { chunks, forEachYielding } from '../../platform/concurrency/yield.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import { textsOf } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';
import { knownVisibility } from '../rooms/access.ts';

export type OwnMembership = {
  roomId: string;
  membership: string;
  /** Stream position of the member event. */
  position: number;
  forgotten: boolean;
};

/** Returns memberships that changed after a position, in that order. */
export async function listChangedMemberships(
  db: Database,
  userId: string,
  after: number,
): Promise<OwnMembership[]> {
  const { rows } = await selectMemberships(db, { userId, after });
  return rows.map((row) => ({
    roomId: row.room_id,
    membership: row.membership,
    position: row.stream_ordering,
    forgotten: row.forgotten === 1,
  }));
}

/** Returns the user's memberships as of a position. */
export async function listMembershipsAt(
  db: Database,
  userId: string,
  position: number,
): Promise<(OwnMembership & { hasChanged?: true })[]> {
  const now = await listChangedMemberships(db, userId, 0);
  const changed = now.filter((own) => own.position > position).map(({ roomId }) => roomId);
  const histories = await listOwnHistory(db, userId, changed, position);
  return now.flatMap((own) => {
    if (own.position <= position) return [own];
    const then = histories.get(own.roomId)?.at(-1);
    if (!then) return [];
    return [{ ...own, membership: then.value, position: then.position, forgotten: false, hasChanged: true }];
  });
}

const selectMemberships = builtOnce((db, { userId, after }: { userId: string; after: number }) =>
  db
    .selectFrom('memberships')
    .select(['room_id', 'membership', 'stream_ordering', 'forgotten'])
    .where('user_id', '=', userId)
    .where('stream_ordering', '>', after)
    .orderBy('stream_ordering'),
);

/** Up to this many events, checks the room of each event; otherwise each of the user's rooms. */
const fewEvents = 200;

/** Returns joined rooms with events between two positions. */
export async function listActiveRooms(
  db: Database,
  userId: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<string[]> {
  const select = upTo - after <= fewEvents ? selectRoomsOfEvents : selectRoomsWithEvents;
  const { rows } = await select(db, { userId, after, upTo });
  return rows.map((row) => row.room_id);
}

/** Returns the user's current memberships in these rooms. */
export async function listMembershipsIn(
  db: Database,
  userId: string,
  roomIds: Iterable<string>,
): Promise<Pick<OwnMembership, 'roomId' | 'membership' | 'position'>[]> {
  const { rows } = await selectMembershipsIn(db, { userId, rooms: JSON.stringify([...roomIds]) });
  return rows.map((row) => ({
    roomId: row.room_id,
    membership: row.membership,
    position: row.stream_ordering,
  }));
}

const selectMembershipsIn = builtOnce((db, { userId, rooms }: { userId: string; rooms: string }) =>
  db
    .selectFrom('memberships')
    .select(['room_id', 'membership', 'stream_ordering'])
    .where('room_id', 'in', sql<string>`${textsOf(db, rooms)}`)
    .where('user_id', '=', userId),
);

type Stretch = { userId: string; after: number; upTo: number };

const selectRoomsOfEvents = builtOnce((db, { userId, after, upTo }: Stretch) =>
  db
    .selectFrom('events')
    .select('events.room_id')
    .distinct()
    .where('events.stream_ordering', '>', after)
    .where('events.stream_ordering', '<=', upTo)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('memberships')
          .select('memberships.room_id')
          .whereRef('memberships.room_id', '=', 'events.room_id')
          .where('memberships.user_id', '=', userId)
          .where('memberships.membership', '=', 'join'),
      ),
    ),
);

const selectRoomsWithEvents = builtOnce((db, { userId, after, upTo }: Stretch) =>
  db
    .selectFrom('memberships')
    .select('memberships.room_id')
    .where('memberships.user_id', '=', userId)
    .where('memberships.membership', '=', 'join')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('events')
          .select('events.stream_ordering')
          .whereRef('events.room_id', '=', 'memberships.room_id')
          .where('events.purged', '=', 0)
          .where('events.stream_ordering', '>', after)
          .where('events.stream_ordering', '<=', upTo),
      ),
    ),
);

/** A change of a membership or history visibility. */
export type Change = { position: number; value: string; sender: string };

/** Returns the user's memberships in each room up to a position, oldest first. */
export async function listOwnHistory(
  db: Database,
  userId: string,
  roomIds: readonly string[],
  upTo: number,
): Promise<Map<string, Change[]>> {
  const of = { type: 'm.room.member', key: userId, upTo };
  return listChanges(db, roomIds, of, ({ membership }) => String(membership));
}

/** Returns the history visibilities of each room up to a position, oldest first. */
export async function listVisibilities(
  db: Database,
  roomIds: readonly string[],
  upTo: number,
): Promise<Map<string, Change[]>> {
  const of = { type: 'm.room.history_visibility', key: '', upTo };
  return listChanges(db, roomIds, of, ({ history_visibility: visibility }) => knownVisibility(visibility));
}

/** Per statement. Events may be large; most rooms have one or two. */
const changesAtOnce = 200;
const roomsAtOnce = 100;

type Changes = { type: string; key: string; upTo: number };

const selectChanges = builtOnce(
  (db, { rooms, type, key, upTo, after }: Changes & { rooms: string; after: number }) =>
    db
      .selectFrom('events')
      .select(['room_id', 'stream_ordering', 'sender', 'json'])
      .where('room_id', 'in', sql<string>`${textsOf(db, rooms)}`)
      .where('type', '=', type)
      .where('state_key', '=', key)
      .where('stream_ordering', '>', after)
      .where('stream_ordering', '<=', upTo)
      .orderBy('stream_ordering')
      .limit(changesAtOnce),
);

async function listChanges(
  db: Database,
  roomIds: readonly string[],
  of: Changes,
  read: (content: Record<string, unknown>) => string,
): Promise<Map<string, Change[]>> {
  const changesOf = new Map<string, Change[]>();
  for (const chunk of chunks(roomIds, roomsAtOnce)) {
    const rooms = JSON.stringify(chunk);
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { rows } = await selectChanges(db, { ...of, rooms, after });
      await forEachYielding(rows, ({ room_id, stream_ordering, sender, json }) => {
        const { content } = readJson(json) as { content: Record<string, unknown> };
        const change = { position: stream_ordering, value: read(content), sender };
        const changes = changesOf.get(room_id);
        if (changes) changes.push(change);
        else changesOf.set(room_id, [change]);
      });
      after = rows.length < changesAtOnce ? undefined : rows.at(-1)?.stream_ordering;
    }
  }
  return changesOf;
}
