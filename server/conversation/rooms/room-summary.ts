/** What a room's own row knows of its state, so that lists of rooms need not read the state. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import type { BackgroundUpdate } from '../../platform/tasks/background-updates.ts';
import { visibleContent } from './events/client-event.ts';
import { countJoined } from './membership/membership-store.ts';
import { listRoomIds, lockRoom, type RoomChange, updateRoom } from './room-store.ts';
import { countState, findState, type StateKey } from './state/room-state-store.ts';

/** As much of a name as an index takes; the state has all of it. */
const maximumName = 500;
const maximumWord = 255;

/** What a state event changes in the row. */
export function summaryOf([type, stateKey]: StateKey, content: JsonObject): RoomChange {
  if (stateKey !== '') return {};
  const word = (name: string) => textIn(content, name, maximumWord);
  switch (type) {
    case 'm.room.create':
      return { federatable: content['m.federate'] !== false, roomType: word('type') };
    case 'm.room.name':
      return { name: textIn(content, 'name', maximumName) };
    case 'm.room.topic':
      return { topic: textIn(content, 'topic') };
    case 'm.room.avatar':
      return { avatar: textIn(content, 'url') };
    case 'm.room.canonical_alias':
      return { canonicalAlias: word('alias') };
    case 'm.room.encryption':
      return { encryption: word('algorithm') };
    case 'm.room.guest_access':
      return { guestAccess: word('guest_access') };
    case 'm.room.join_rules':
      return { joinRule: word('join_rule') ?? 'invite' };
    case 'm.room.history_visibility':
      return { historyVisibility: word('history_visibility') ?? 'shared' };
    default:
      return {};
  }
}

/** Redaction takes names away; rules are protected from it. */
export const redactedSummaryOf = (key: StateKey): RoomChange =>
  key[0] === 'm.room.join_rules' || key[0] === 'm.room.history_visibility' ? {} : summaryOf(key, {});

/** Not every database can store NUL in a text: what holds one is as good as none. */
function textIn(content: JsonObject, name: string, maximum = Number.POSITIVE_INFINITY): string | null {
  const text = content[name];
  if (typeof text !== 'string' || text.includes('\0')) return null;
  return text.length > maximum ? text.slice(0, maximum).toWellFormed() : text;
}

/** The background update that writes into each room's row what its state says, and counts it anew. */

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
