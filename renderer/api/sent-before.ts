/** What was sent in a room before a time: what purging its history would take. */
import { Type } from 'typebox';
import { JsonObject } from '../../shared/api/common.ts';
import { NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';

const EventAtTime = Type.Object({ event_id: Type.String(), origin_server_ts: Type.Integer() });

/** The event that is the closest to a time, before or after it; undefined where there is none. */
export async function eventAtTime(
  server: Server,
  roomId: string,
  { at, dir }: { at: number; dir: 'b' | 'f' },
  signal?: AbortSignal,
): Promise<{ eventId: string; sentAt: number } | undefined> {
  const path = `/v1/rooms/${encodeURIComponent(roomId)}/timestamp_to_event?ts=${at}&dir=${dir}`;
  try {
    const { event_id: eventId, origin_server_ts: sentAt } = await server.get(EventAtTime, path, {
      ...(signal && { signal }),
    });
    return { eventId, sentAt };
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** So many are counted; to count all would read the whole room. */
export const mostCounted = 500;

const Around = Type.Object({ end: Type.Optional(Type.String()) });
const Page = Type.Object({ chunk: Type.Array(JsonObject), end: Type.Optional(Type.String()) });

export type Purged = {
  /** Messages and other events that are no state; at most as many as are counted. */
  events: number;
  /** Those of them that users of this server sent, of which there may be no other copy. */
  own: number;
  /** State events: they go on holding, and are taken out of what is shown of the room. */
  ofRoom: number;
  /** Whether there are more than were counted. */
  more: boolean;
  /** When the latest of them was sent, in milliseconds. */
  latest: number | undefined;
};

/** What was sent in a room before a time, as far as one page of it tells. */
export async function sentBefore(
  server: Server,
  roomId: string,
  before: number,
  signal: AbortSignal,
): Promise<Purged> {
  const last = await eventAtTime(server, roomId, { at: before, dir: 'b' }, signal);
  if (!last) return { events: 0, own: 0, ofRoom: 0, more: false, latest: undefined };
  const room = `/v1/rooms/${encodeURIComponent(roomId)}`;
  // From behind the event, so that it is among them.
  const { end: from } = await server.get(
    Around,
    `${room}/context/${encodeURIComponent(last.eventId)}?limit=0`,
    {
      signal,
    },
  );
  if (from === undefined) return { events: 1, own: 0, ofRoom: 0, more: true, latest: last.sentAt };
  const query = `dir=b&limit=${mostCounted}&from=${encodeURIComponent(from)}`;
  const { chunk, end } = await server.get(Page, `${room}/messages?${query}`, { signal });
  const messages = chunk.filter((event) => event.state_key === undefined);
  const ownServer = server.connection.userId.slice(server.connection.userId.indexOf(':'));
  const own = messages.filter(({ sender }) => typeof sender === 'string' && sender.endsWith(ownServer));
  return {
    events: messages.length,
    own: own.length,
    ofRoom: chunk.length - messages.length,
    more: chunk.length > 0 && end !== undefined && chunk.length >= mostCounted,
    latest: last.sentAt,
  };
}
