/** The search index of event texts. It follows the event stream in batches, so that sending never waits for it. */
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../../shared/api/common.ts';
import { tryLockUntilCommit } from '../../platform/cluster/lock-until-commit.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { wordsOf } from '../../platform/core/words.ts';
import { settledEventPosition } from '../../platform/database/changes.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import { readFact, writeFact } from '../../platform/database/server-facts.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import type { BackgroundUpdate } from '../../platform/tasks/background-updates.ts';
import { listAllEvents } from '../rooms/events/event-order-store.ts';
import { findEvent, type StoredEvent } from '../rooms/events/event-store.ts';
import { relationIn } from '../rooms/relations/relation.ts';
import { type IndexedEvent, indexEvents } from './search-index-store.ts';

/** Searchable keys, by event type. */
export const keyOfType: ReadonlyMap<string, 'content.body' | 'content.name' | 'content.topic'> = new Map([
  ['m.room.message', 'content.body'],
  ['m.room.name', 'content.name'],
  ['m.room.topic', 'content.topic'],
]);

/** Returns undefined for events that aren't searchable. */
export function searchableText(type: string, content: JsonObject): string | undefined {
  const text = content[keyOfType.get(type)?.slice('content.'.length) ?? ''];
  return typeof text === 'string' ? text : undefined;
}

const eventsAtOnce = 200;
const positionFact = 'search_index_place';

/** Indexes the next events. Returns their number. */
async function indexBatch(tx: Tx): Promise<number> {
  if (!(await tryLockUntilCommit(tx, 'searchIndex'))) return 0;
  const upTo = await settledEventPosition(tx);
  const after = Number((await readFact(tx, positionFact)) ?? 0);
  const { events } = await listAllEvents(tx, { after, upTo, limit: eventsAtOnce });
  const indexed = new Map<number, IndexedEvent>();
  for (const event of events) {
    await yieldToEventLoop();
    const entry = await indexEntry(tx, event);
    if (entry) indexed.set(entry.position, entry);
  }
  await indexEvents(tx, [...indexed.values()]);
  const last = events.at(-1)?.streamOrdering;
  if (last !== undefined) await writeFact(tx, positionFact, String(last));
  return events.length;
}

/** Returns the index entry that an event changes: its own, or that of the event it edits or redacts. */
async function indexEntry(tx: Tx, event: StoredEvent): Promise<IndexedEvent | undefined> {
  const { pdu, redactedBy, purged } = event;
  if (pdu.type === 'm.room.redaction') {
    const redacted = await findEvent(tx, String(pdu.redacts ?? pdu.content.redacts));
    return redacted?.redactedBy === event.eventId ? entryOf(redacted, undefined) : undefined;
  }
  if (redactedBy !== null || purged) return undefined;
  const relation = relationIn(pdu.content);
  if (relation?.relType === 'm.replace') return editedEntry(tx, event, relation.parentId);
  const text = searchableText(pdu.type, pdu.content);
  return text === undefined ? undefined : entryOf(event, text);
}

/** An edit replaces the text of the edited event and has no entry itself. */
async function editedEntry(
  tx: Tx,
  { pdu }: StoredEvent,
  parentId: string,
): Promise<IndexedEvent | undefined> {
  const parent = await findEvent(tx, parentId);
  const content = pdu.content['m.new_content'];
  const isEdit =
    parent?.pdu.room_id === pdu.room_id &&
    parent.pdu.sender === pdu.sender &&
    parent.pdu.type === pdu.type &&
    parent.redactedBy === null;
  if (!isEdit || typeof content !== 'object' || content === null) return undefined;
  const text = searchableText(pdu.type, content as Record<string, unknown>);
  return text === undefined ? undefined : entryOf(parent, text);
}

const entryOf = ({ streamOrdering, pdu }: StoredEvent, text: string | undefined): IndexedEvent => ({
  position: streamOrdering,
  roomId: pdu.room_id,
  words: text === undefined ? [] : wordsOf(text),
});

/** The background update that indexes older events. */
export const populateSearch: BackgroundUpdate = async (tx) => {
  const items = await indexBatch(tx);
  return { items, ...(items === eventsAtOnce && { progress: {} }) };
};

/** Batches that a search waits for. */
const maxBatches = 10;
/** Maximum delay of the index while there are no searches, in milliseconds. */
const pause = 2_000;

export type SearchIndex = {
  /** Starts to index new events in the background. */
  start(): void;
  /** Indexes new events, within limits. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
};

export function createSearchIndex({
  db,
  clock,
  log,
  notifier,
}: {
  db: Kysely<Schema>;
  clock: Clock;
  log: Log;
  notifier: Notifier;
}): SearchIndex {
  let isScheduled = false;
  let stopped = false;
  let cancel = () => {};
  let work: Promise<void> = Promise.resolve();

  async function indexSome(): Promise<void> {
    for (let batch = 0; batch < maxBatches && !stopped; batch++) {
      if ((await inTransaction(db, indexBatch)) < eventsAtOnce) return;
      await yieldToEventLoop();
    }
    schedule();
  }
  const catchUp = () => {
    work = work.then(indexSome).catch((err: unknown) => {
      log.warn({ err }, 'search: indexing failed:');
    });
    return work;
  };
  function schedule(): void {
    if (isScheduled || stopped) return;
    isScheduled = true;
    cancel = clock.after(pause, () => {
      isScheduled = false;
      void catchUp();
    });
  }
  let endListening = () => {};

  return {
    start() {
      endListening = notifier.listen('rooms', schedule);
    },
    async catchUp() {
      if (await isBehind(db)) await catchUp();
    },
    async stop() {
      stopped = true;
      endListening();
      cancel();
      await work;
    },
  };
}

async function isBehind(db: Database): Promise<boolean> {
  return Number((await readFact(db, positionFact)) ?? 0) < (await settledEventPosition(db));
}
