/** Purging a room's history. The reference homeserver's "Purge History API". */
import { Type } from 'typebox';
import { JsonObject, Nullable } from '../../shared/api/common.ts';
import { ScheduledTaskList } from '../../shared/api/tasks.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { NoSuchEndpoint, NotFound } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';

const Request = Type.Object({ purge_up_to_ts: Type.Integer(), delete_local_events: Type.Boolean() });
const PurgeId = Type.Object({ purge_id: Type.String() });

/** Begins to delete what was sent before a time, in milliseconds. @returns the id of the work */
export async function purgeHistory(
  server: Server,
  roomId: string,
  { before, ownToo }: { before: number; ownToo: boolean },
): Promise<string> {
  const path = `/v1/purge_history/${encodeURIComponent(roomId)}`;
  const request = body(Request, { purge_up_to_ts: before, delete_local_events: ownToo });
  try {
    return (await server.send('POST', PurgeId, path, { body: request })).purge_id;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'Nothing to purge: no such room, or no events before that date.',
    );
  }
}

/** A purge of the room's history that waits for its time or is at work; a server has one at a time of each room. */
export async function unfinishedPurge(server: Server, roomId: string, signal: AbortSignal) {
  const query = new URLSearchParams({ action_name: 'purge_history', resource_id: roomId });
  try {
    const { scheduled_tasks } = await server.get(ScheduledTaskList, `/v1/scheduled_tasks?${query}`, {
      signal,
    });
    return scheduled_tasks.find(({ status }) => status === 'scheduled' || status === 'active');
  } catch (error) {
    if (error instanceof NoSuchEndpoint) return undefined;
    throw error;
  }
}

const PurgeStatus = Type.Object({ status: Type.String(), error: Type.Optional(Nullable(Type.String())) });

/** How far that is. */
export const purgeStatus = (server: Server, id: string) =>
  server.get(PurgeStatus, `/v1/purge_history_status/${encodeURIComponent(id)}`);

// What was sent in a room before a time: what purging its history would take.

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
