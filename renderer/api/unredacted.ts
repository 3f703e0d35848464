/**
 * Finds events that a redaction left readable: some servers redact few event types only, or none in some room versions.
 */
import pLimit from 'p-limit';
import { type Static, Type } from 'typebox';
import { JsonObject } from '../../shared/api/common.ts';
import { isRefusal, NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { getMemberships } from './memberships.ts';
import { askReports } from './reports/event-reports.ts';
import { gatherReports } from './reports/report-walk.ts';
import { joinedRooms } from './user.ts';

/** A readable event. */
export const Unredacted = Type.Object({
  /** Empty if unknown. */
  roomId: Type.String(),
  eventId: Type.String(),
  sender: Type.Optional(Type.String()),
  /** The server's error message. */
  why: Type.Optional(Type.String()),
  /** IDs of open reports on it. */
  reports: Type.Optional(Type.Array(Type.Integer())),
});
export type Unredacted = Static<typeof Unredacted>;

const concurrency = 4;
/** In more rooms than this, only reported events are checked. */
const maxRooms = 100;
const maxPerRoom = 1000;
/** Stored with the job in the browser; a retry finds the rest. */
const maxResults = 1000;

const EventNow = Type.Object({ event: JsonObject });
const Messages = Type.Object({ chunk: Type.Array(JsonObject) });

const graphemes = new Intl.Segmenter();

/** Whether an event is a reaction with an emoji, not with text. */
function isEmojiReaction({ type, content }: JsonObject): boolean {
  const { key } = ((content as JsonObject | undefined)?.['m.relates_to'] ?? {}) as JsonObject;
  return type === 'm.reaction' && [...graphemes.segment(String(key ?? ''))].length < 2;
}

const isRedacted = ({ unsigned }: JsonObject) => {
  const { redacted_because, redacted_by } = (unsigned ?? {}) as JsonObject;
  return redacted_because !== undefined || redacted_by !== undefined;
};

/** Whether an event is readable; undefined if unknown. */
export async function isUnredacted(server: Server, roomId: string, eventId: string) {
  const path = `/v1/rooms/${encodeURIComponent(roomId)}/context/${encodeURIComponent(eventId)}?limit=0`;
  try {
    return !isRedacted((await server.get(EventNow, path)).event);
  } catch (error) {
    if (error instanceof NotFound) return false;
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Returns a user's newest events in a room, of any type. */
async function newestEvents(server: Server, userId: string, roomId: string, limit: number) {
  const filter = encodeURIComponent(JSON.stringify({ senders: [userId], lazy_load_members: true }));
  const path = `/v1/rooms/${encodeURIComponent(roomId)}/messages?dir=b&limit=${limit}&filter=${filter}`;
  try {
    // Servers without the filter return everyone's.
    return (await server.get(Messages, path)).chunk.filter(({ sender }) => sender === userId);
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}

const StoredEvent = Type.Object({ event: Type.Object({ room_id: Type.String() }) });

async function roomOf(server: Server, eventId: string): Promise<string> {
  try {
    const path = `/v1/fetch_event/${encodeURIComponent(eventId)}`;
    return (await server.get(StoredEvent, path)).event.room_id;
  } catch (error) {
    if (isRefusal(error)) return '';
    throw error;
  }
}

/**
 * Returns the events of a user that are still readable after a redaction of all: those that failed, those of types that
 * the server omits, and reported ones. Memberships and emoji reactions alone don't count.
 */
export async function unredactedOf(
  server: Server,
  userId: string,
  {
    limit,
    failures,
    reports,
    after = 0,
    before = Number.POSITIVE_INFINITY,
  }: {
    limit: number;
    failures: Readonly<Record<string, string>>;
    reports: readonly number[];
    after?: number | undefined;
    before?: number | undefined;
  },
): Promise<Unredacted[]> {
  const limitRequests = pLimit(concurrency);
  const reported = await unredactedReported(server, userId, reports);
  const unredacted = new Map(reported.map((each) => [each.eventId, each]));
  const minor = new Set<string>();
  const add = (event: Unredacted) =>
    unredacted.set(event.eventId, { ...event, ...unredacted.get(event.eventId) });

  const memberships = await getMemberships(server, userId);
  const rooms = memberships ? Object.keys(memberships) : await joinedRoomIds(server, userId);
  const scannedRooms = rooms.length <= maxRooms ? rooms : [];
  const perRoom = Math.min(limit, maxPerRoom);
  await Promise.all(
    scannedRooms.map((roomId) =>
      limitRequests(async () => {
        for (const event of await newestEvents(server, userId, roomId, perRoom)) {
          const { event_id: eventId, type, state_key, origin_server_ts: at } = event;
          if (Number(at) < after || Number(at) > before) continue;
          if (typeof eventId !== 'string' || isRedacted(event) || type === 'm.room.redaction') continue;
          if (isEmojiReaction(event) || state_key !== undefined) minor.add(eventId);
          // Memberships are room state: only those that the server tried to redact are expected to be gone.
          if (state_key === undefined || eventId in failures) add({ roomId, eventId, sender: userId });
        }
      }),
    ),
  );
  const remainingIds = Object.keys(failures).filter((eventId) => !unredacted.has(eventId));
  await Promise.all(
    remainingIds.slice(0, maxResults).map((eventId) =>
      limitRequests(async () => {
        const roomId = await roomOf(server, eventId);
        if (roomId === '' || (await isUnredacted(server, roomId, eventId)) !== false)
          add({ roomId, eventId, sender: userId });
      }),
    ),
  );
  const results = [...unredacted.values()];
  if (results.every(({ eventId, reports: on }) => minor.has(eventId) && !on)) return [];
  return results
    .slice(0, maxResults)
    .map((event) => ({ ...event, ...(failures[event.eventId] && { why: failures[event.eventId] }) }));
}

const joinedRoomIds = (server: Server, userId: string) =>
  joinedRooms(server, userId, new AbortController().signal).catch((error) => {
    if (isRefusal(error)) return [];
    throw error;
  });

/** Returns the reported events of a user that are still readable, with the given reports. */
export async function unredactedReported(
  server: Server,
  userId: string,
  reports: readonly number[],
): Promise<Unredacted[]> {
  if (reports.length === 0) return [];
  const reportIds = new Set(reports);
  const rows = await gatherReports(askReports(server, { event_sender_user_id: userId }), (some) =>
    some.filter(({ id }) => reportIds.has(id)),
  );
  const limitRequests = pLimit(concurrency);
  const checked = [...Map.groupBy(rows, ({ event_id }) => event_id)].map(([eventId, on]) =>
    limitRequests(async (): Promise<Unredacted[]> => {
      const roomId = on[0]?.room_id ?? '';
      if ((await isUnredacted(server, roomId, eventId)) === false) return [];
      return [{ roomId, eventId, sender: userId, reports: on.map(({ id }) => id) }];
    }),
  );
  return (await Promise.all(checked)).flat();
}
