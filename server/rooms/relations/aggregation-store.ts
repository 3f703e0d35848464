/** What other events make of an event: its newest edit, its references, its thread. */
import { type SqlBool, sql } from 'kysely';
import { inPieces } from '../../core/pieces.ts';
import type { Database } from '../../database/schema.ts';
import { asStoredEvent, columns, type StoredEvent } from '../event-store.ts';

export type Aggregation = {
  /** The newest edit by whoever sent the event. */
  edit?: StoredEvent;
  /** The events that refer to it, oldest first. */
  references: string[];
  thread?: { latest: StoredEvent; replies: number; participated: boolean };
};

export type AggregationReader = {
  userId: string;
  /** The last place that the reader may know of; undefined for one who sees the present. */
  upTo: number | undefined;
};

/** So many references are told of one reading's events. */
const maximumReferences = 1_000;
const eventsAtOnce = 200;

/** What is known of these events, by identifier, in one reading and one more of the events that it found. */
export async function findAggregations(
  db: Database,
  eventIds: readonly string[],
  reader: AggregationReader,
): Promise<Map<string, Aggregation>> {
  const rows: Row[] = [];
  for (const piece of inPieces(eventIds, eventsAtOnce)) rows.push(...(await findRows(db, piece, reader)));
  if (rows.length === 0) return new Map();

  const places = rows.flatMap(({ kind, place }) => (kind === 'reference' ? [] : [place]));
  const events = await findEventsAt(db, places);
  const found = new Map<string, Aggregation>();
  for (const { kind, parent_id, place, replies, participated, event_id } of rows) {
    const aggregation = found.get(parent_id) ?? { references: [] };
    const event = events.get(place);
    if (kind === 'reference' && event_id !== null) aggregation.references.push(event_id);
    if (kind === 'edit' && event) aggregation.edit = event;
    if (kind === 'thread' && event) {
      aggregation.thread = { latest: event, replies: Number(replies), participated: participated === 1 };
    }
    found.set(parent_id, aggregation);
  }
  return found;
}

type Row = {
  kind: 'edit' | 'reference' | 'thread';
  parent_id: string;
  place: number;
  replies: number;
  participated: number;
  event_id: string | null;
};

/** Only who sent an event may edit it, with an event of the same type, and an edit can't be edited. */
async function findRows(
  db: Database,
  eventIds: readonly string[],
  { userId, upTo }: AggregationReader,
): Promise<Row[]> {
  const among = sql.join(eventIds.map((eventId) => sql`${eventId}`));
  const known = (place: string) =>
    upTo === undefined ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(place)} <= ${upTo}`;
  const { rows } = await sql<Row>`
    select 'edit' as kind, relation.parent_id, max(relation.stream_ordering) as place,
      0 as replies, 0 as participated, null as event_id
    from event_relations as relation
    join events as parent on parent.event_id = relation.parent_id
      and parent.sender = relation.sender and parent.type = relation.type
    where relation.parent_id in (${among}) and relation.rel_type = 'm.replace'
      and parent.redacted_by is null and parent.state_key is null and ${known('relation.stream_ordering')}
      and not exists (select 1 from event_relations as own
        where own.event_id = relation.parent_id and own.rel_type = 'm.replace')
    group by relation.parent_id
    union all
    select 'thread', thread.root_id, thread.latest, thread.replies,
      case when root.sender = ${userId} or exists (select 1 from event_relations as reply
        where reply.parent_id = thread.root_id and reply.rel_type = 'm.thread' and reply.sender = ${userId})
      then 1 else 0 end, null
    from threads as thread join events as root on root.event_id = thread.root_id
    where thread.root_id in (${among}) and ${known('thread.latest')}
    union all
    select * from (
      select 'reference' as kind, relation.parent_id, relation.stream_ordering as place,
        0 as replies, 0 as participated, relation.event_id
      from event_relations as relation
      where relation.parent_id in (${among}) and relation.rel_type = 'm.reference'
        and ${known('relation.stream_ordering')}
      order by relation.stream_ordering limit ${maximumReferences}
    ) as reference`.execute(db);
  return rows;
}

async function findEventsAt(db: Database, places: readonly number[]): Promise<Map<number, StoredEvent>> {
  const events = new Map<number, StoredEvent>();
  for (const piece of inPieces(places, eventsAtOnce)) {
    const rows = await db
      .selectFrom('events')
      .select(columns)
      .where('stream_ordering', 'in', piece)
      .where('purged', '=', 0)
      .execute();
    for (const row of rows) events.set(row.stream_ordering, asStoredEvent(row));
  }
  return events;
}
