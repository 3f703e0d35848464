/** Aggregations of child events: the newest edit, references and thread. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { chunks } from '../../../platform/concurrency/yield.ts';
import { textsIn } from '../../../platform/database/query/expressions.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { asStoredEvent, columns, type StoredEvent } from '../events/event-store.ts';

export type Aggregation = {
  /** The newest edit by the sender. */
  edit?: StoredEvent;
  /** Event IDs, oldest first. */
  references: string[];
  thread?: { latest: StoredEvent; replies: number; participated: boolean };
};

type AggregationReader = {
  userId: string;
  /** Last visible position; undefined without a limit. */
  upTo: number | undefined;
  /** Users whose replies don't count. Called only if there is a thread. */
  ignored?(): Promise<ReadonlySet<string>>;
};

const maximumReferences = 1_000;
const eventsAtOnce = 200;

/** Returns aggregations by event ID. */
export async function findAggregations(
  db: Database,
  eventIds: readonly string[],
  reader: AggregationReader,
): Promise<Map<string, Aggregation>> {
  const rows: Row[] = [];
  for (const chunk of chunks(eventIds, eventsAtOnce)) rows.push(...(await findRows(db, chunk, reader)));
  if (rows.length === 0) return new Map();
  if (rows.some(({ kind }) => kind === 'thread')) await omitIgnoredReplies(db, rows, reader);

  const positions = rows.flatMap(({ kind, position }) => (kind === 'reference' ? [] : [position]));
  const events = await findEventsAt(db, positions);
  const found = new Map<string, Aggregation>();
  for (const { kind, parent_id, position, replies, participated, event_id } of rows) {
    const aggregation = found.get(parent_id) ?? { references: [] };
    const event = events.get(position);
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
  position: number;
  replies: number;
  participated: number;
  event_id: string | null;
};

async function findRows(
  db: Database,
  eventIds: readonly string[],
  { userId, upTo }: AggregationReader,
): Promise<Row[]> {
  const among = sql.join(eventIds.map((eventId) => sql`${eventId}`));
  const known = (position: string) =>
    upTo === undefined ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(position)} <= ${upTo}`;
  const { rows } = await sql<Row>`
    ${editsOf(sql`(${among})`, known('relation.stream_ordering'))}
    union all
    select 'thread', thread.root_id, thread.latest, thread.replies,
      case when root.sender = ${userId} or exists (select 1 from event_relations as reply
        where reply.parent_id = thread.root_id and reply.rel_type = 'm.thread' and reply.sender = ${userId})
      then 1 else 0 end, null
    from threads as thread join events as root on root.event_id = thread.root_id
    where thread.root_id in (${among}) and ${known('thread.latest')}
    union all
    select * from (
      select 'reference' as kind, relation.parent_id, relation.stream_ordering as position,
        0 as replies, 0 as participated, relation.event_id
      from event_relations as relation
      where relation.parent_id in (${among}) and relation.rel_type = 'm.reference'
        and ${known('relation.stream_ordering')}
      order by relation.stream_ordering limit ${maximumReferences}
    ) as reference`.execute(db);
  return rows;
}

/** An edit counts only if it has the sender and type of the event, and the event isn't an edit itself. */
const editsOf = (among: RawBuilder<unknown>, isKnown: RawBuilder<SqlBool>) => sql<Row>`
    select 'edit' as kind, relation.parent_id, max(relation.stream_ordering) as position,
      0 as replies, 0 as participated, null as event_id
    from event_relations as relation
    join events as parent on parent.event_id = relation.parent_id
      and parent.sender = relation.sender and parent.type = relation.type
    where relation.parent_id in ${among} and relation.rel_type = 'm.replace'
      and parent.redacted_by is null and parent.state_key is null and ${isKnown}
      and not exists (select 1 from event_relations as own
        where own.event_id = relation.parent_id and own.rel_type = 'm.replace')
    group by relation.parent_id`;

/** Returns the newest edits by the ID of the edited event. */
export async function findEdits(
  db: Database,
  eventIds: readonly string[],
): Promise<Map<string, StoredEvent>> {
  if (eventIds.length === 0) return new Map();
  const { rows } = await editsOf(textsIn(db, eventIds), sql<SqlBool>`true`).execute(db);
  const events = await findEventsAt(
    db,
    rows.map(({ position }) => position),
  );
  return new Map(
    rows.flatMap(({ parent_id, position }) => {
      const event = events.get(position);
      return event ? [[parent_id, event]] : [];
    }),
  );
}

/** Recounts threads without replies of ignored users. */
async function omitIgnoredReplies(db: Database, rows: Row[], reader: AggregationReader): Promise<void> {
  const ignored = await reader.ignored?.();
  if (!ignored?.size) return;
  const threads = rows.filter(({ kind }) => kind === 'thread');
  for (const chunk of chunks(threads, eventsAtOnce)) {
    const left = await db
      .selectFrom('event_relations')
      .select(['parent_id', ({ fn }) => fn.countAll<number>().as('replies')])
      .select(({ fn }) => fn.max('stream_ordering').as('position'))
      .where('rel_type', '=', 'm.thread')
      .where(
        'parent_id',
        'in',
        chunk.map((row) => row.parent_id),
      )
      .where('sender', 'not in', textsIn(db, [...ignored]))
      .groupBy('parent_id')
      .execute();
    const byRoot = new Map(left.map((thread) => [thread.parent_id, thread]));
    for (const row of chunk) {
      // There is no event at position 0, so a thread without other replies is omitted.
      const { replies, position } = byRoot.get(row.parent_id) ?? { replies: 0, position: 0 };
      Object.assign(row, { replies, position });
    }
  }
}

async function findEventsAt(db: Database, positions: readonly number[]): Promise<Map<number, StoredEvent>> {
  const events = new Map<number, StoredEvent>();
  for (const chunk of chunks(positions, eventsAtOnce)) {
    const rows = await db
      .selectFrom('events')
      .select(columns)
      .where('stream_ordering', 'in', chunk)
      .where('purged', '=', 0)
      .execute();
    for (const row of rows) events.set(row.stream_ordering, asStoredEvent(row));
  }
  return events;
}
