/** What a sync shows: everything that concerns a user between two places. */
import { ignoredUsers } from '../../identity/account-data/account-data.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import { readUnreadCounts, type UnreadRoom } from '../notifications/unread-counts.ts';
import { roomTest } from '../rooms/events/event-filter.ts';
import { readParts, type SyncParts } from './parts.ts';
import { createRoomReading, type Recent, readablePieces, type ShownRoom } from './read-rooms.ts';
import { readStrippedRooms, type StrippedRoom } from './stripped-rooms.ts';
import type { SyncContext, SyncQuestion } from './sync-question.ts';
import { type Span, updatedRooms } from './updated-rooms.ts';

export type SyncAnswer = {
  rooms: ShownRoom[];
  /** The rooms that are left to read, some at a time. */
  others: AsyncIterable<ShownRoom[]>;
  stripped: StrippedRoom[];
  parts: SyncParts;
  /** By room, of those that are shown and that the user is in. */
  unread: ReadonlyMap<string, UnreadRoom>;
};

/** @param upTo everything up to there is settled */
export async function readSync(
  context: SyncContext,
  question: SyncQuestion,
  upTo: StreamPositions,
): Promise<SyncAnswer> {
  const { db } = context;
  const { requester, filter, since, fullState } = question;
  const { userId } = requester;
  const isQuiet = !fullState && since !== undefined && since.events >= upTo.events;
  const span = { after: since?.events, upTo: upTo.events };
  const recent = isQuiet || fullState ? undefined : await readRecent(context, span);
  const updates = isQuiet
    ? []
    : await updatedRooms(
        db,
        userId,
        span,
        {
          fullState: fullState && since !== undefined,
          includeLeave: filter.room?.include_leave ?? false,
          room: roomTest(filter.room),
        },
        recent,
      );
  const ignored = updates.length > 0 ? await ignoredUsers(db, userId) : new Set<string>();
  const shown = updates.filter(({ section }) => section === 'join' || section === 'leave');
  const isLazy = filter.room?.state?.lazy_load_members ?? false;
  const [first = [], ...later] = question.inPieces ? await readablePieces(db, shown, { isLazy }) : [shown];
  const read = createRoomReading(context, question, { upTo, updates: shown, ignored, recent });
  const rooms = first.length > 0 ? await read(first) : [];
  async function* others() {
    for (const piece of later) yield await read(piece);
  }
  const stripped = await readStrippedRooms(
    db,
    { requester, now: context.clock.now() },
    updates.filter(({ section }) => section === 'invite' || section === 'knock'),
    ignored,
  );
  const parts = await readParts(context, question, upTo, updates, {
    mayHaveMoved: recent?.movesMembers ?? true,
  });
  const joined = new Set([...parts.roomAccountData.keys(), ...parts.ephemeral.keys()]);
  const told = later.length > 0 ? shown : rooms.map(({ update }) => update);
  for (const { roomId, section } of told) if (section === 'join') joined.add(roomId);
  const unread = joined.size > 0 ? await readUnreadCounts(db, { userId, roomIds: [...joined] }) : new Map();
  return { rooms, others: others(), stripped, parts, unread };
}

async function readRecent(
  { readRecentEvents }: SyncContext,
  { after, upTo }: Span,
): Promise<Recent | undefined> {
  const found = after === undefined ? undefined : await readRecentEvents({ after, upTo });
  return found && after !== undefined ? { ...found, after, upTo } : undefined;
}
