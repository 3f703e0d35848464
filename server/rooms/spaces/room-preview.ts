/** What is told of a room to whoever may join it or read it. Matrix specification, client-server API, room summaries. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { Database } from '../../database/schema.ts';
import { findJoinedRoomAmong, findMembership } from '../membership-store.ts';
import { findState } from '../room-state-store.ts';
import { findRoom, type RoomRecord } from '../room-store.ts';

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
