/** Relations between events, and the threads that they form. */
import { sql } from 'kysely';
import { builtOnce } from '../../../platform/database/query/built-once.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import { asStoredEvent, columns, type StoredEvent } from '../events/event-store.ts';
import type { Relation } from './relation.ts';

type NewRelation = Relation & {
  eventId: string;
  roomId: string;
  sender: string;
  type: string;
  streamOrdering: number;
};

/** Inserts a relation, unless it exists. */
export async function insertRelation(tx: Tx, relation: NewRelation): Promise<void> {
  const { rows } = await insertRow(tx, relation);
  if (rows.length > 0 && relation.relType === 'm.thread') await addReply(tx, relation);
}

const insertRow = builtOnce((db, relation: NewRelation) =>
  db
    .insertInto('event_relations')
    .values({
      event_id: relation.eventId,
      parent_id: relation.parentId,
      rel_type: relation.relType,
      aggregation_key: relation.key,
      sender: relation.sender,
      type: relation.type,
      stream_ordering: relation.streamOrdering,
    })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('event_id'),
);

async function addReply(tx: Tx, { parentId, roomId, streamOrdering }: NewRelation): Promise<void> {
  await tx
    .insertInto('threads')
    .values({ root_id: parentId, room_id: roomId, replies: 1, latest: streamOrdering })
    .onConflict((conflict) =>
      conflict.column('root_id').doUpdateSet({
        replies: sql<number>`threads.replies + 1`,
        latest: sql<number>`case when threads.latest > ${streamOrdering} then threads.latest else ${streamOrdering} end`,
      }),
    )
    .execute();
}

/** Deletes the relation of a redacted event. */
export async function deleteRelation(tx: Tx, eventId: string): Promise<void> {
  const row = await tx
    .deleteFrom('event_relations')
    .where('event_id', '=', eventId)
    .returning(['parent_id', 'rel_type'])
    .executeTakeFirst();
  if (row?.rel_type !== 'm.thread') return;
  const left = await tx
    .selectFrom('event_relations')
    .select((eb) => [eb.fn.countAll<number>().as('replies'), eb.fn.max('stream_ordering').as('latest')])
    .where('parent_id', '=', row.parent_id)
    .where('rel_type', '=', 'm.thread')
    .executeTakeFirst();
  if (left?.latest == null) {
    await tx.deleteFrom('threads').where('root_id', '=', row.parent_id).execute();
    return;
  }
  await tx
    .updateTable('threads')
    .set({ replies: Number(left.replies), latest: left.latest })
    .where('root_id', '=', row.parent_id)
    .execute();
}

export async function hasAnnotation(
  db: Database,
  { parentId, type, sender, key }: { parentId: string; type: string; sender: string; key: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('event_relations')
    .select('event_id')
    .where('parent_id', '=', parentId)
    .where('rel_type', '=', 'm.annotation')
    .where('sender', '=', sender)
    .where('type', '=', type)
    .where('aggregation_key', '=', key)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an event relates to another one. */
export async function isRelated(db: Database, eventId: string): Promise<boolean> {
  const row = await db
    .selectFrom('event_relations')
    .select('rel_type')
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return row !== undefined;
}

type RelationQuery = {
  relType?: string | undefined;
  type?: string | undefined;
  /** Exclusive; `upTo` is inclusive. */
  after: number;
  upTo: number;
  direction: 'b' | 'f';
  limit: number;
};

/** Returns events that relate to any of these, in stream order. */
export async function listRelated(
  db: Database,
  parentIds: readonly string[],
  { relType, type, after, upTo, direction, limit }: RelationQuery,
): Promise<StoredEvent[]> {
  let query = db
    .selectFrom('event_relations as relation')
    .innerJoin('events', 'events.event_id', 'relation.event_id')
    .select(columns)
    .where('relation.parent_id', 'in', parentIds)
    .where('relation.stream_ordering', '>', after)
    .where('relation.stream_ordering', '<=', upTo)
    .where('events.purged', '=', 0);
  if (relType !== undefined) query = query.where('relation.rel_type', '=', relType);
  if (type !== undefined) query = query.where('relation.type', '=', type);
  const rows = await query
    .orderBy('relation.stream_ordering', direction === 'b' ? 'desc' : 'asc')
    .limit(limit)
    .execute();
  return rows.map(asStoredEvent);
}

/** Returns the IDs of events that relate to any of these. */
export async function listRelatedIds(
  db: Database,
  parentIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('event_relations')
    .select('event_id')
    .where('parent_id', 'in', parentIds)
    .orderBy('stream_ordering')
    .limit(limit)
    .execute();
  return rows.map((row) => row.event_id);
}

/** Returns those of these events to which others relate, by these senders and with these relation types. */
export async function findRelatedBy(
  db: Database,
  eventIds: readonly string[],
  {
    relTypes,
    senders,
  }: { relTypes?: readonly string[] | undefined; senders?: readonly string[] | undefined },
): Promise<ReadonlySet<string>> {
  if (eventIds.length === 0 || relTypes?.length === 0 || senders?.length === 0) return new Set();
  let query = db
    .selectFrom('event_relations')
    .select('parent_id')
    .distinct()
    .where('parent_id', 'in', eventIds);
  if (relTypes) query = query.where('rel_type', 'in', relTypes);
  if (senders) query = query.where('sender', 'in', senders);
  return new Set((await query.execute()).map((row) => row.parent_id));
}

type ThreadQuery = {
  /** Only threads with events of this user. */
  participant?: string | undefined;
  /** Last position of the latest reply, inclusive. */
  upTo: number;
  limit: number;
};

/** Returns thread roots by latest reply, newest first. */
export async function listThreads(
  db: Database,
  roomId: string,
  { participant, upTo, limit }: ThreadQuery,
): Promise<{ root: StoredEvent; latest: number }[]> {
  let query = db
    .selectFrom('threads')
    .innerJoin('events', 'events.event_id', 'threads.root_id')
    .select([...columns, 'threads.latest'])
    .where('threads.room_id', '=', roomId)
    .where('threads.latest', '<=', upTo)
    .where('events.purged', '=', 0);
  if (participant !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('events.sender', '=', participant),
        eb.exists(
          eb
            .selectFrom('event_relations as reply')
            .select('reply.event_id')
            .whereRef('reply.parent_id', '=', 'threads.root_id')
            .where('reply.rel_type', '=', 'm.thread')
            .where('reply.sender', '=', participant),
        ),
      ]),
    );
  }
  const rows = await query.orderBy('threads.latest', 'desc').limit(limit).execute();
  return rows.map((row) => ({ root: asStoredEvent(row), latest: row.latest }));
}
