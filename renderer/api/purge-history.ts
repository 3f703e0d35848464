/** Purges a room's history. Synapse's "Purge History API". */
import { Type } from 'typebox';
import { JsonObject, Nullable } from '../../shared/api/common.ts';
import { ScheduledTaskList } from '../../shared/api/tasks.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { NoSuchEndpoint, NotFound } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';

const Request = Type.Object({ purge_up_to_ts: Type.Integer(), delete_local_events: Type.Boolean() });
const PurgeId = Type.Object({ purge_id: Type.String() });

/** Starts purging events before a time in milliseconds since the Unix epoch. Returns the purge ID. */
export async function purgeHistory(
  server: Server,
  roomId: string,
  { before, includeLocal }: { before: number; includeLocal: boolean },
): Promise<string> {
  const path = `/v1/purge_history/${encodeURIComponent(roomId)}`;
  const request = body(Request, { purge_up_to_ts: before, delete_local_events: includeLocal });
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

/** Returns the room's scheduled or running purge; servers allow one at a time. */
export async function pendingPurge(server: Server, roomId: string, signal: AbortSignal) {
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

export const purgeStatus = (server: Server, id: string) =>
  server.get(PurgeStatus, `/v1/purge_history_status/${encodeURIComponent(id)}`);

const EventAtTime = Type.Object({ event_id: Type.String(), origin_server_ts: Type.Integer() });

/** Returns the closest event before or after a time, or undefined. */
export async function eventAtTime(
  server: Server,
  roomId: string,
  { at, dir }: { at: number; dir: 'b' | 'f' },
  signal?: AbortSignal,
): Promise<{ eventId: string; sentAt: number } | undefined> {
  const path = `/v1/rooms/${encodeURIComponent(roomId)}/timestamp_to_event?ts=${at}&dir=${dir}`;
  try {
    const { event_id: eventId, origin_server_ts: sentAt } = await server.get(EventAtTime, path, { signal });
    return { eventId, sentAt };
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** Maximum number of counted events; counting all would read the whole room. */
export const maxCounted = 500;

const Around = Type.Object({ end: Type.Optional(Type.String()) });
const Page = Type.Object({ chunk: Type.Array(JsonObject), end: Type.Optional(Type.String()) });

type PurgePreview = {
  /** Message events, up to the limit. */
  events: number;
  /** Messages of local users: there may be no other copy. */
  localEvents: number;
  /** State events: they stay in force, but leave the timeline. */
  stateEvents: number;
  /** Whether there are more. */
  hasMore: boolean;
  /** When the newest was sent, in milliseconds since the Unix epoch. */
  latest: number | undefined;
};

/** Counts the events before a time, up to the limit. */
export async function previewPurge(
  server: Server,
  roomId: string,
  before: number,
  signal: AbortSignal,
): Promise<PurgePreview> {
  const newest = await eventAtTime(server, roomId, { at: before, dir: 'b' }, signal);
  if (!newest) return { events: 0, localEvents: 0, stateEvents: 0, hasMore: false, latest: undefined };
  const room = `/v1/rooms/${encodeURIComponent(roomId)}`;
  // Starts after the event, so that it is included.
  const { end: from } = await server.get(
    Around,
    `${room}/context/${encodeURIComponent(newest.eventId)}?limit=0`,
    {
      signal,
    },
  );
  if (from === undefined)
    return { events: 1, localEvents: 0, stateEvents: 0, hasMore: true, latest: newest.sentAt };
  const query = `dir=b&limit=${maxCounted}&from=${encodeURIComponent(from)}`;
  const { chunk, end } = await server.get(Page, `${room}/messages?${query}`, { signal });
  const messages = chunk.filter((event) => event.state_key === undefined);
  const ownServer = server.connection.userId.slice(server.connection.userId.indexOf(':'));
  const localEvents = messages.filter(
    ({ sender }) => typeof sender === 'string' && sender.endsWith(ownServer),
  );
  return {
    events: messages.length,
    localEvents: localEvents.length,
    stateEvents: chunk.length - messages.length,
    hasMore: chunk.length > 0 && end !== undefined && chunk.length >= maxCounted,
    latest: newest.sentAt,
  };
}
