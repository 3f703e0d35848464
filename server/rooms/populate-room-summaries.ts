/** The background update that writes into each room's row what its state says, and counts it anew. */

import type { Tx } from '../database/transaction.ts';
import type { BackgroundUpdate } from '../tasks/background-updates.ts';
import { visibleContent } from './client-event.ts';
import { countJoined } from './membership-store.ts';
import { countState, findState, type StateKey } from './room-state-store.ts';
import { listRoomIds, lockRoom, type RoomChange, updateRoom } from './room-store.ts';
import { summaryOf } from './room-summary.ts';

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

export const populateRoomSummaries: BackgroundUpdate = async (tx, { after }) => {
  const from = typeof after === 'string' ? after : '';
  const roomIds = await listRoomIds(tx, { after: from, limit: roomsAtOnce });
  for (const roomId of roomIds) await populate(tx, roomId);
  const last = roomIds.at(-1);
  return { items: roomIds.length, ...(last !== undefined && { progress: { after: last } }) };
};

async function populate(tx: Tx, roomId: string): Promise<void> {
  const room = await lockRoom(tx, roomId);
  if (!room) return;
  const change: RoomChange = {
    name: null,
    topic: null,
    avatar: null,
    canonicalAlias: null,
    encryption: null,
    guestAccess: null,
  };
  for (const event of await findState(tx, roomId, summarized)) {
    Object.assign(change, summaryOf([event.pdu.type, ''], visibleContent(event)));
  }
  await updateRoom(tx, room, {
    ...change,
    joinedMembers: await countJoined(tx, roomId),
    stateEvents: await countState(tx, roomId),
  });
}
