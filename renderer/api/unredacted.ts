/** Finds the content that a redaction left: some servers redact a few event types only, or none of a room version. */
import pLimit from 'p-limit';
import { type Static, Type } from 'typebox';
import { JsonObject } from '../../shared/api/common.ts';
import { isRefusal, NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { askReports } from './event-reports.ts';
import { membershipsOfUser } from './memberships.ts';
import { gatherReports } from './report-walk.ts';
import { joinedRooms } from './user.ts';

/** An event that can still be read. */
export const Unredacted = Type.Object({
  /** Empty where the server doesn't say. */
  roomId: Type.String(),
  eventId: Type.String(),
  sender: Type.Optional(Type.String()),
  /** The server's own words. */
  why: Type.Optional(Type.String()),
  /** The open reports on it. */
  reports: Type.Optional(Type.Array(Type.Integer())),
});
export type Unredacted = Static<typeof Unredacted>;

const atOnce = 4;
/** In more rooms than these only reported events are checked. */
const mostRooms = 100;
const mostPerRoom = 1000;
/** A browser's storage keeps them with the job; a retry finds the rest. */
const mostKept = 1000;

const EventNow = Type.Object({ event: JsonObject });
const Messages = Type.Object({ chunk: Type.Array(JsonObject) });

const graphemes = new Intl.Segmenter();

/** Whether an event is a reaction with an emoji, rather than with a text. */
function isEmojiReaction({ type, content }: JsonObject): boolean {
  const { key } = ((content as JsonObject | undefined)?.['m.relates_to'] ?? {}) as JsonObject;
  return type === 'm.reaction' && [...graphemes.segment(String(key ?? ''))].length < 2;
}

const isRedacted = ({ unsigned }: JsonObject) => {
  const { redacted_because, redacted_by } = (unsigned ?? {}) as JsonObject;
  return redacted_because !== undefined || redacted_by !== undefined;
};

/** Whether an event can still be read; undefined where the server doesn't say. */
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

/** The newest events of a user in a room, whatever their type. */
async function newestOf(server: Server, userId: string, roomId: string, limit: number) {
  const filter = encodeURIComponent(JSON.stringify({ senders: [userId], lazy_load_members: true }));
  const path = `/v1/rooms/${encodeURIComponent(roomId)}/messages?dir=b&limit=${limit}&filter=${filter}`;
  try {
    // Servers that don't know the filter give everyone's.
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
 * Returns a user's events that can still be read after all were to be redacted: those that the server failed at, those of
 * types that it leaves out, and those of these reports. Memberships and reactions with an emoji are left out unless there
 * is more.
 */
export async function unredactedOf(
  server: Server,
  userId: string,
  {
    limit,
    failures,
    reports,
  }: { limit: number; failures: Readonly<Record<string, string>>; reports: readonly number[] },
): Promise<Unredacted[]> {
  const turn = pLimit(atOnce);
  const reported = await unredactedReported(server, userId, reports);
  const found = new Map(reported.map((each) => [each.eventId, each]));
  const minor = new Set<string>();
  const add = (event: Unredacted) => found.set(event.eventId, { ...event, ...found.get(event.eventId) });

  const memberships = await membershipsOfUser(server, userId);
  const rooms = memberships ? Object.keys(memberships) : await joinedOf(server, userId);
  const looked = rooms.length <= mostRooms ? rooms : [];
  const perRoom = Math.min(limit, mostPerRoom);
  await Promise.all(
    looked.map((roomId) =>
      turn(async () => {
        for (const event of await newestOf(server, userId, roomId, perRoom)) {
          const { event_id: eventId, type, state_key } = event;
          if (typeof eventId !== 'string' || isRedacted(event) || type === 'm.room.redaction') continue;
          if (isEmojiReaction(event) || state_key !== undefined) minor.add(eventId);
          // A membership is the room's state: only what the server tried is expected to be gone.
          if (state_key === undefined || eventId in failures) add({ roomId, eventId, sender: userId });
        }
      }),
    ),
  );
  const missed = Object.keys(failures).filter((eventId) => !found.has(eventId));
  await Promise.all(
    missed.slice(0, mostKept).map((eventId) =>
      turn(async () => {
        const roomId = await roomOf(server, eventId);
        if (roomId === '' || (await isUnredacted(server, roomId, eventId)) !== false)
          add({ roomId, eventId, sender: userId });
      }),
    ),
  );
  const left = [...found.values()];
  if (left.every(({ eventId, reports: on }) => minor.has(eventId) && !on)) return [];
  return left
    .slice(0, mostKept)
    .map((event) => ({ ...event, ...(failures[event.eventId] && { why: failures[event.eventId] }) }));
}

const joinedOf = (server: Server, userId: string) =>
  joinedRooms(server, userId, new AbortController().signal).catch((error) => {
    if (isRefusal(error)) return [];
    throw error;
  });

/** The events of a user's reports that can still be read, with these reports. */
export async function unredactedReported(
  server: Server,
  userId: string,
  reports: readonly number[],
): Promise<Unredacted[]> {
  if (reports.length === 0) return [];
  const wanted = new Set(reports);
  const rows = await gatherReports(askReports(server, { event_sender_user_id: userId }), (some) =>
    some.filter(({ id }) => wanted.has(id)),
  );
  const turn = pLimit(atOnce);
  const checked = [...Map.groupBy(rows, ({ event_id }) => event_id)].map(([eventId, on]) =>
    turn(async (): Promise<Unredacted[]> => {
      const roomId = on[0]?.room_id ?? '';
      if ((await isUnredacted(server, roomId, eventId)) === false) return [];
      return [{ roomId, eventId, sender: userId, reports: on.map(({ id }) => id) }];
    }),
  );
  return (await Promise.all(checked)).flat();
}
