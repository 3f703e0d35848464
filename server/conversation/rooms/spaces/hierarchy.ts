/** Room summaries and space hierarchies. Client-server API, "Room Summaries" and "Spaces". */
import { forbidden } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { StoredEvent } from '../events/event-store.ts';
import { allowedRoomsIn } from '../membership/change-membership.ts';
import { findJoinedRoomAmong, findMembership } from '../membership/membership-store.ts';
import { findRoom, type RoomRecord } from '../room-store.ts';
import { listState } from '../state/current-state-store.ts';
import { findState } from '../state/room-state-store.ts';

export type RoomPreview = {
  room: RoomRecord;
  /** Rooms whose members may join this one. */
  allowedRoomIds: string[];
  /** The reader's membership; undefined for an anonymous reader. */
  membership: string | undefined;
};

/** Returns undefined if the reader may not preview the room. @param userId undefined for an anonymous reader */
export async function previewRoom(
  db: Database,
  roomId: string,
  userId: string | undefined,
): Promise<RoomPreview | undefined> {
  const room = await findRoom(db, roomId);
  if (!room || room.joinedMembers === 0) return undefined;
  const isForMembers = room.joinRule === 'restricted' || room.joinRule === 'knock_restricted';
  const allowedRoomIds = isForMembers ? await findAllowedRooms(db, roomId) : [];
  const own = userId === undefined ? undefined : await findMembership(db, roomId, userId);
  const membership = userId === undefined ? undefined : (own?.membership ?? 'leave');
  const preview = { room, allowedRoomIds, membership };

  if (room.historyVisibility === 'world_readable' || openRules.has(room.joinRule)) return preview;
  if (userId === undefined) return undefined;
  if (membership === 'join' || membership === 'invite') return preview;
  if (isForMembers && (await findJoinedRoomAmong(db, userId, allowedRoomIds))) return preview;
  return undefined;
}

const openRules = new Set(['public', 'knock', 'knock_restricted']);

async function findAllowedRooms(db: Database, roomId: string): Promise<string[]> {
  const [rules] = await findState(db, roomId, [['m.room.join_rules', '']]);
  return allowedRoomsIn(rules?.pdu.content ?? {});
}

type HierarchyQuery = {
  suggestedOnly: boolean;
  maxDepth: number | undefined;
  /** Rooms of earlier pages. */
  skip: number;
  limit: number;
};

type HierarchyRoom = RoomPreview & { children: StoredEvent[] };

type HierarchyPage = {
  rooms: HierarchyRoom[];
  isLast: boolean;
};

const maximumRooms = 1_000;
const maximumChildren = 500;

/**
 * Returns a page of a space's rooms that the reader may preview, depth first.
 *
 * @throws MatrixError 403 if the reader may not preview the space
 */
export async function readHierarchy(
  db: Database,
  roomId: string,
  userId: string,
  { suggestedOnly, maxDepth = Number.POSITIVE_INFINITY, skip, limit }: HierarchyQuery,
): Promise<HierarchyPage> {
  const rooms: HierarchyRoom[] = [];
  const seen = new Set<string>();
  const stack = [{ roomId, depth: 0 }];
  let skipped = 0;
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (seen.has(next.roomId)) continue;
    if (seen.size >= maximumRooms) break;
    const preview = await previewRoom(db, next.roomId, userId);
    seen.add(next.roomId);
    if (!preview) {
      if (next.depth === 0) {
        throw forbidden(`User ${userId} not in room ${roomId}, and room previews are disabled`);
      }
      continue;
    }
    if (rooms.length === limit) return { rooms, isLast: false };
    const isSpace = preview.room.roomType === 'm.space';
    const children = isSpace ? await listChildren(db, next.roomId, suggestedOnly) : [];
    if (skipped < skip) skipped++;
    else rooms.push({ ...preview, children });
    if (next.depth >= maxDepth) continue;
    for (const child of children.toReversed()) {
      stack.push({ roomId: child.pdu.state_key ?? '', depth: next.depth + 1 });
    }
  }
  return { rooms, isLast: true };
}

/** Returns valid `m.space.child` events in the space's order. */
async function listChildren(db: Database, roomId: string, suggestedOnly: boolean): Promise<StoredEvent[]> {
  const events = await listState(db, roomId, 'm.space.child');
  const valid = events.filter(({ pdu: { content }, redactedBy }) => {
    const isValid = redactedBy === null && Array.isArray(content.via) && content.via.length > 0;
    return isValid && (!suggestedOnly || content.suggested === true);
  });
  return valid.toSorted(byOrder).slice(0, maximumChildren);
}

/** By `order`, then by age. Client-server API, "Ordering of children within a space". */
function byOrder({ pdu: one }: StoredEvent, { pdu: other }: StoredEvent): number {
  const [left, right] = [orderOf(one.content.order), orderOf(other.content.order)];
  if (left !== right) {
    if (left === undefined) return 1;
    if (right === undefined) return -1;
    return left < right ? -1 : 1;
  }
  const byAge = one.origin_server_ts - other.origin_server_ts;
  return byAge || ((one.state_key ?? '') < (other.state_key ?? '') ? -1 : 1);
}

const orderOf = (order: unknown) =>
  typeof order === 'string' && /^[\x20-\x7e]{1,50}$/.test(order) ? order : undefined;
