/** Fills rooms with messages by writing to the database, much faster than sending. */
import { sql } from 'kysely';
import type { Services } from '../../server/app/services.ts';
import { appendEvent } from '../../server/conversation/rooms/events/append-events.ts';
import { findEvent, insertEvents } from '../../server/conversation/rooms/events/event-store.ts';
import { indexEvents } from '../../server/conversation/search/search-index-store.ts';
import { randomSecret } from '../../server/platform/core/secrets.ts';
import { wordsOf } from '../../server/platform/core/words.ts';
import { settledEventPosition } from '../../server/platform/database/changes.ts';
import { isPostgres } from '../../server/platform/database/engine.ts';
import { writeFact } from '../../server/platform/database/server-facts.ts';
import { inTransaction, type Tx } from '../../server/platform/database/transaction.ts';

const messagesAtOnce = 500;

/** A batch of messages by one sender in one room. */
type Piece = { roomId: string; sender: string; bodies: readonly string[] };

/**
 * Inserts messages in batches, alternating between rooms. The first message of a batch is sent; the others are copies
 * with their own text and IDs. Search ignores authorization rules, hashes and signatures, the slow part of sending.
 */
export async function loadMessages(
  services: Services,
  { messages, rooms, sender }: { messages: number; rooms: readonly string[]; sender: string },
  body: () => string,
): Promise<void> {
  // Indexes the existing messages the usual way.
  await services.searchIndex.catchUp();
  for (let written = 0; written < messages; written += messagesAtOnce) {
    const roomId = rooms[(written / messagesAtOnce) % rooms.length] ?? '';
    const bodies = Array.from({ length: messagesAtOnce }, body);
    await inTransaction(services.db, (tx) => writePiece(tx, services, { roomId, sender, bodies }));
  }
  await inTransaction(services.db, async (tx) =>
    writeFact(tx, 'search_index_place', String(await settledEventPosition(tx))),
  );
  // Autovacuum would do this later.
  if (isPostgres(services.db)) await sql`analyze`.execute(services.db);
}

async function writePiece(tx: Tx, services: Services, { roomId, sender, bodies }: Piece): Promise<void> {
  const [first = '', ...others] = bodies;
  const sent = await appendEvent(tx, services, roomId, {
    type: 'm.room.message',
    sender,
    content: { msgtype: 'm.text', body: first },
  });
  const model = await findEvent(tx, sent);
  if (!model) throw new Error('What was sent is not there');
  const { pdu, roomVersion } = model;
  const events = others.map((body) => {
    const own = { ...pdu, content: { ...pdu.content, body } };
    return { eventId: `$${randomSecret()}`, pdu: own, json: JSON.stringify(own), roomVersion };
  });
  const places = new Map([[sent, model.streamOrdering]]);
  for (let from = 0; from < events.length; from += 50) {
    const piece = events.slice(from, from + 50).map((event) => ({ event, transaction: undefined }));
    for (const [eventId, place] of await insertEvents(tx, piece)) places.set(eventId, place);
  }
  const ids = [sent, ...events.map(({ eventId }) => eventId)];
  await indexEvents(
    tx,
    bodies.map((body, index) => ({
      position: places.get(ids[index] ?? '') ?? 0,
      roomId,
      words: wordsOf(body),
    })),
  );
}
