/**
 * Looking into a room without being in it, where its history is for everyone. Matrix specification, client-server
 * API, "Room Previews".
 */
import type { JsonObject } from '../../shared/api/common.ts';
import { forbidden } from '../core/matrix-error.ts';
import type { Places } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';
import { roomAccess } from '../rooms/access.ts';
import { type Reader, serveEvents } from '../rooms/client-event.ts';
import { listState } from '../rooms/current-state-store.ts';
import { readMessages } from '../rooms/history.ts';

const eventsAtOnce = 100;

/** Whether a user would look into a room from outside. @throws MatrixError 403 for a room that may not be looked into */
export async function isPeek(db: Database, roomId: string, userId: string): Promise<boolean> {
  const access = await roomAccess(db, roomId, userId);
  if (!access) throw forbidden(`User ${userId} not in room ${roomId}, and room previews are disabled`);
  return access.peeking;
}

/** What has happened in a room between two places, and the place up to which this is all. */
export async function readPeek(
  db: Database,
  reader: Reader,
  roomId: string,
  { after, upTo }: { after: Places; upTo: Places },
): Promise<{ events: JsonObject[]; upTo: Places }> {
  const range = { from: after.events, to: upTo.events, limit: eventsAtOnce };
  const page = await readMessages(db, reader, roomId, { direction: 'f', ...range, filter: {} });
  return { events: page.events, upTo: { ...upTo, events: page.end ?? upTo.events } };
}

/** The latest that was said in a room, in its order, and its state. */
export async function readPreview(
  db: Database,
  reader: Reader,
  roomId: string,
  { upTo, limit }: { upTo: Places; limit: number },
): Promise<{ events: JsonObject[]; start: number; state: JsonObject[] }> {
  const range = { from: upTo.events, to: undefined, limit };
  const page = await readMessages(db, reader, roomId, { direction: 'b', ...range, filter: {} });
  const state = (await listState(db, roomId)).map((event) => ({ event }));
  return {
    events: page.events.reverse(),
    start: page.end ?? 0,
    // Everyone may look in: they see the present.
    state: await serveEvents(db, state, { ...reader, upTo: undefined }),
  };
}
