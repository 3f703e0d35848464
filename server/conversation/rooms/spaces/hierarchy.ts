/** What is told of a room to whoever may join it or read it. Matrix specification, client-server API, room summaries. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { forbidden } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { StoredEvent } from '../events/event-store.ts';
import { findJoinedRoomAmong, findMembership } from '../membership/membership-store.ts';
import { findRoom, type RoomRecord } from '../room-store.ts';
import { listState } from '../state/current-state-store.ts';
import { findState } from '../state/room-state-store.ts';

export type RoomPreview = {
  room: RoomRecord;
  /** Rooms whose members may join this one. */
  allowedRoomIds: string[];
  /** What the reader is in the room; undefined for nobody in particular. */
  membership: string | undefined;
};

/** What may be known of a room; undefined where the reader, or everyone without one, may know nothing of it. */
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

/** The rooms whose members may join this one. */
async function findAllowedRooms(db: Database, roomId: string): Promise<string[]> {
  const [rules] = await findState(db, roomId, [['m.room.join_rules', '']]);
  const allow = rules?.pdu.content.allow;
  const roomIds = (Array.isArray(allow) ? (allow as unknown[]) : []).flatMap((rule) => {
    const { type, room_id } = (rule ?? {}) as JsonObject;
    return type === 'm.room_membership' && typeof room_id === 'string' ? [room_id] : [];
  });
  return roomIds.slice(0, 500);
}

/** The rooms of a space, and of the spaces in it. Matrix specification, client-server API, "Spaces". */

type HierarchyQuery = {
  suggestedOnly: boolean;
  maxDepth: number | undefined;
  /** How many rooms to pass over. */
  skip: number;
  limit: number;
};

type HierarchyRoom = RoomPreview & { children: StoredEvent[] };

type HierarchyPage = {
  rooms: HierarchyRoom[];
  isLast: boolean;
};

/** So many rooms of a space are gone through, and so many children of one of them. */
const maximumRooms = 1_000;
const maximumChildren = 500;

/**
 * A page of a space's rooms, each before its own, as far as the reader may know of them.
 *
 * @throws MatrixError 403 for a space that the reader may know nothing of
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
  let passed = 0;
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
    if (passed < skip) passed++;
    else rooms.push({ ...preview, children });
    if (next.depth >= maxDepth) continue;
    for (const child of children.toReversed()) {
      stack.push({ roomId: child.pdu.state_key ?? '', depth: next.depth + 1 });
    }
  }
  return { rooms, isLast: true };
}

/** The children of a space that lead somewhere, in the order that the space gives them. */
async function listChildren(db: Database, roomId: string, suggestedOnly: boolean): Promise<StoredEvent[]> {
  const events = await listState(db, roomId, 'm.space.child');
  const leading = events.filter(({ pdu: { content }, redactedBy }) => {
    const leads = redactedBy === null && Array.isArray(content.via) && content.via.length > 0;
    return leads && (!suggestedOnly || content.suggested === true);
  });
  return leading.toSorted(byOrder).slice(0, maximumChildren);
}

/** Those with a place of their own first, the others by age. */
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
