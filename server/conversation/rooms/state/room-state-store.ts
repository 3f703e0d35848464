/** A room's current state, and its state at any event. */
import { type SqlBool, sql } from 'kysely';
import { chunks, mapYielding } from '../../../platform/concurrency/yield.ts';
import { builtOnce, builtOnceFor } from '../../../platform/database/query/built-once.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import { listEventsAt } from '../events/event-order-store.ts';
import { asStoredEvent, columns, type StoredEvent } from '../events/event-store.ts';

export type StateKey = readonly [type: string, stateKey: string];

/** Returns the current state events of these types and keys, as far as they exist. */
export async function findState(
  db: Database,
  roomId: string,
  keys: readonly StateKey[],
): Promise<StoredEvent[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom('current_state')
    .innerJoin('events', 'events.event_id', 'current_state.event_id')
    .select(columns)
    .where('current_state.room_id', '=', roomId)
    .where(hasAnyOf(keys))
    .execute();
  return mapYielding(rows, asStoredEvent);
}

type StateId = { key: StateKey; eventId: string; redactedBy: string | null };

/** Returns the same without the events' content. */
export async function findStateIds(
  db: Database,
  roomId: string,
  keys: readonly StateKey[],
): Promise<StateId[]> {
  if (keys.length === 0) return [];
  const values: Record<string, string> = { roomId };
  for (const [index, [type, stateKey]] of keys.entries()) {
    values[`type${index}`] = type;
    values[`key${index}`] = stateKey;
  }
  const { rows } = await selectStateIds(db, keys.length, values);
  return rows.map((row) => ({
    key: [row.type, row.state_key],
    eventId: row.event_id,
    redactedBy: row.redacted_by,
  }));
}

/** Built for each number of keys. */
const selectStateIds = builtOnceFor((db, values: Record<string, string>, count: number) =>
  db
    .selectFrom('current_state')
    .innerJoin('events', 'events.event_id', 'current_state.event_id')
    .select(['current_state.type', 'current_state.state_key', 'current_state.event_id', 'events.redacted_by'])
    .where('current_state.room_id', '=', values.roomId ?? '')
    .where(
      hasAnyOf(
        Array.from(
          { length: count },
          (_, index): StateKey => [values[`type${index}`] ?? '', values[`key${index}`] ?? ''],
        ),
      ),
    ),
);

/** Row values, because SQLite wouldn't use the index for alternatives with `or`. */
const hasAnyOf = (keys: readonly StateKey[]) =>
  sql<SqlBool>`(current_state.type, current_state.state_key) in (values ${sql.join(
    keys.map(([type, stateKey]) => sql`(${type}, ${stateKey})`),
  )})`;

/**
 * Returns the state right after an event: the newest event of each type and key up to it. Without federation, a room's
 * history is linear and needs no state resolution.
 */
export async function listStateAt(
  db: Database,
  roomId: string,
  streamOrdering: number,
  type?: string,
): Promise<StoredEvent[]> {
  return listEventsAt(db, await statePositionsAt(db, roomId, streamOrdering, type));
}

/** Events of any size that fit in memory. */
const pageSize = 25;

/** Yields the same in pages, for state that may not fit in memory. */
export async function* statePagesAt(
  db: Database,
  roomId: string,
  streamOrdering: number,
): AsyncGenerator<StoredEvent[]> {
  for (const chunk of chunks(await statePositionsAt(db, roomId, streamOrdering), pageSize)) {
    yield await listEventsAt(db, chunk);
  }
}

async function statePositionsAt(
  db: Database,
  roomId: string,
  streamOrdering: number,
  type?: string,
): Promise<number[]> {
  const newest = await db
    .selectFrom('events')
    .select(({ fn }) => fn.max('stream_ordering').as('position'))
    .where('room_id', '=', roomId)
    .where('state_key', 'is not', null)
    .where('stream_ordering', '<=', streamOrdering)
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? ''))
    .groupBy(['type', 'state_key'])
    .orderBy('position')
    .execute();
  return newest.map(({ position }) => position);
}

/** Returns these users' member events as of a position. */
export async function listMembersAt(
  db: Database,
  roomId: string,
  userIds: readonly string[],
  streamOrdering: number,
): Promise<StoredEvent[]> {
  const members: StoredEvent[] = [];
  for (const chunk of chunks(userIds, 200)) {
    const newest = db
      .selectFrom('events')
      .select(({ fn }) => fn.max('stream_ordering').as('stream_ordering'))
      .where('room_id', '=', roomId)
      .where('type', '=', 'm.room.member')
      .where('state_key', 'in', chunk)
      .where('stream_ordering', '<=', streamOrdering)
      .groupBy('state_key');
    const rows = await db
      .selectFrom('events')
      .select(columns)
      .where('stream_ordering', 'in', newest)
      .orderBy('stream_ordering')
      .execute();
    members.push(...(await mapYielding(rows, asStoredEvent)));
  }
  return members;
}

/** Returns a state event as of a position. */
export async function findStateAt(
  db: Database,
  roomId: string,
  [type, stateKey]: StateKey,
  streamOrdering: number,
): Promise<StoredEvent | undefined> {
  const {
    rows: [row],
  } = await selectStateAt(db, { roomId, type, stateKey, streamOrdering });
  return row && asStoredEvent(row);
}

type StatePosition = { roomId: string; type: string; stateKey: string; streamOrdering: number };

const selectStateAt = builtOnce((db, { roomId, type, stateKey, streamOrdering }: StatePosition) =>
  db
    .selectFrom('events')
    .select(columns)
    .where('room_id', '=', roomId)
    .where('type', '=', type)
    .where('state_key', '=', stateKey)
    .where('stream_ordering', '<=', streamOrdering)
    .orderBy('stream_ordering', 'desc')
    .limit(1),
);

/** Returns the state event before `from`, if any, and all changes up to `upTo`, oldest first. */
export async function listStateChanges(
  db: Database,
  roomId: string,
  [type, stateKey]: StateKey,
  from: number,
  upTo: number,
): Promise<StoredEvent[]> {
  const before = await findStateAt(db, roomId, [type, stateKey], from - 1);
  const { rows } = await selectStateChanges(db, { roomId, type, stateKey, from, upTo });
  return [...(before ? [before] : []), ...rows.map(asStoredEvent)];
}

type StateStretch = { roomId: string; type: string; stateKey: string; from: number; upTo: number };

const selectStateChanges = builtOnce((db, { roomId, type, stateKey, from, upTo }: StateStretch) =>
  db
    .selectFrom('events')
    .select(columns)
    .where('room_id', '=', roomId)
    .where('type', '=', type)
    .where('state_key', '=', stateKey)
    .where('stream_ordering', '>=', from)
    .where('stream_ordering', '<=', upTo)
    .orderBy('stream_ordering'),
);

/** Sets the current state of distinct types and keys. */
export async function setState(
  tx: Tx,
  roomId: string,
  states: readonly { key: StateKey; eventId: string }[],
): Promise<void> {
  await tx
    .insertInto('current_state')
    .values(
      states.map(({ key: [type, state_key], eventId }) => ({
        room_id: roomId,
        type,
        state_key,
        event_id: eventId,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['room_id', 'type', 'state_key'])
        .doUpdateSet((eb) => ({ event_id: eb.ref('excluded.event_id') })),
    )
    .execute();
}

export async function countState(db: Database, roomId: string): Promise<number> {
  const row = await db
    .selectFrom('current_state')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('room_id', '=', roomId)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}
