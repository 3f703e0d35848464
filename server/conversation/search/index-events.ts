/** What of an event can be found. */

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

/** Which events are found by which part of them. */
export const keyOfType: ReadonlyMap<string, 'content.body' | 'content.name' | 'content.topic'> = new Map([
  ['m.room.message', 'content.body'],
  ['m.room.name', 'content.name'],
  ['m.room.topic', 'content.topic'],
]);

/** The text by which an event is found; undefined for one that isn't. */
export function searchableText(type: string, content: JsonObject): string | undefined {
  const text = content[keyOfType.get(type)?.slice('content.'.length) ?? ''];
  return typeof text === 'string' ? text : undefined;
}

/**
 * Keeps the index of texts. It follows the order of all events, in pieces, beside what is sent: sending waits for
 * nothing, and a search first brings the index up to what has been sent.
 */

const eventsAtOnce = 200;
const position = 'search_index_place';

/** Indexes one piece of the events that are not indexed yet; gives how many it was. */
async function indexPiece(tx: Tx): Promise<number> {
  if (!(await tryLockUntilCommit(tx, 'searchIndex'))) return 0;
  const upTo = await settledEventPosition(tx);
  const after = Number((await readFact(tx, position)) ?? 0);
  const { events } = await listAllEvents(tx, { after, upTo, limit: eventsAtOnce });
  const indexed = new Map<number, IndexedEvent>();
  for (const event of events) {
    await yieldToEventLoop();
    const said = await whatItSays(tx, event);
    if (said) indexed.set(said.position, said);
  }
  await indexEvents(tx, [...indexed.values()]);
  const last = events.at(-1)?.streamOrdering;
  if (last !== undefined) await writeFact(tx, position, String(last));
  return events.length;
}

/** What an event makes found by which words: itself, or another that it edits or redacts; undefined for nothing. */
async function whatItSays(tx: Tx, event: StoredEvent): Promise<IndexedEvent | undefined> {
  const { pdu, redactedBy, purged } = event;
  if (pdu.type === 'm.room.redaction') {
    const redacted = await findEvent(tx, String(pdu.redacts ?? pdu.content.redacts));
    return redacted?.redactedBy === event.eventId ? foundBy(redacted, undefined) : undefined;
  }
  if (redactedBy !== null || purged) return undefined;
  const relation = relationIn(pdu.content);
  if (relation?.relType === 'm.replace') return whatItEdits(tx, event, relation.parentId);
  const text = searchableText(pdu.type, pdu.content);
  return text === undefined ? undefined : foundBy(event, text);
}

/** An edit is not found by itself: what it edits is found by what it says. */
async function whatItEdits(
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
  return text === undefined ? undefined : foundBy(parent, text);
}

const foundBy = ({ streamOrdering, pdu }: StoredEvent, text: string | undefined): IndexedEvent => ({
  position: streamOrdering,
  roomId: pdu.room_id,
  words: text === undefined ? [] : wordsOf(text),
});

/** The background update that indexes what was there before. */
export const populateSearch: BackgroundUpdate = async (tx) => {
  const items = await indexPiece(tx);
  return { items, ...(items === eventsAtOnce && { progress: {} }) };
};

/** So many pieces a search waits for. */
const piecesAtOnce = 10;
/** How long the index may be behind while nobody searches, in milliseconds. */
const pause = 2_000;

export type SearchIndex = {
  /** Begins to keep the index up to date with what is sent. */
  start(): void;
  /** Brings the index up to what has been sent, or nearer to it. */
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
  let isDue = false;
  let stopped = false;
  let cancel = () => {};
  let work: Promise<void> = Promise.resolve();

  async function indexSome(): Promise<void> {
    for (let piece = 0; piece < piecesAtOnce && !stopped; piece++) {
      if ((await inTransaction(db, indexPiece)) < eventsAtOnce) return;
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
    if (isDue || stopped) return;
    isDue = true;
    cancel = clock.after(pause, () => {
      isDue = false;
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
  return Number((await readFact(db, position)) ?? 0) < (await settledEventPosition(db));
}
