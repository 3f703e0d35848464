/** The background update that writes into each room's row what its state says, and counts it anew. */
import { visibleContent } from '../rooms/client-event.ts';
import { summaryOf } from '../rooms/room-summary.ts';
import { countJoined } from '../storage/memberships.ts';
import { countState, findState, type StateKey } from '../storage/room-state.ts';
import { listRoomIds, lockRoom, type RoomChange, updateRoom } from '../storage/rooms.ts';
import type { Database } from '../storage/schema.ts';
import type { BackgroundUpdate } from './background-update.ts';

const roomsAtOnce = 20;

const summarized: StateKey[] = [
  'm.room.create',
  'm.room.name',
  'm.room.topic',
  'm.room.avatar',
  'm.room.canonical_alias',
  'm.room.encryption',
  'm.room.guest_access',
  'm.room.join_rules',
  'm.room.history_visibility',
].map((type) => [type, '']);

export const populateRoomSummaries: BackgroundUpdate = async (transaction, { after }) => {
  const from = typeof after === 'string' ? after : '';
  const roomIds = await listRoomIds(transaction, { after: from, limit: roomsAtOnce });
  for (const roomId of roomIds) await populate(transaction, roomId);
  const last = roomIds.at(-1);
  return { items: roomIds.length, ...(last !== undefined && { progress: { after: last } }) };
};

async function populate(db: Database, roomId: string): Promise<void> {
  const room = await lockRoom(db, roomId);
  if (!room) return;
  const change: RoomChange = {
    name: null,
    topic: null,
    avatar: null,
    canonicalAlias: null,
    encryption: null,
    guestAccess: null,
  };
  for (const event of await findState(db, roomId, summarized)) {
    Object.assign(change, summaryOf([event.pdu.type, ''], visibleContent(event)));
  }
  await updateRoom(db, room, {
    ...change,
    joinedMembers: await countJoined(db, roomId),
    stateEvents: await countState(db, roomId),
  });
}
