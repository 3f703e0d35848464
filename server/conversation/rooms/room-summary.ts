/** Columns of a room's row that repeat its state, so that room lists needn't read the state. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import type { BackgroundUpdate } from '../../platform/tasks/background-updates.ts';
import { visibleContent } from './events/client-event.ts';
import { countJoined } from './membership/membership-store.ts';
import { listRoomIds, lockRoom, type RoomChange, updateRoom } from './room-store.ts';
import { countState, findState, type StateKey } from './state/room-state-store.ts';

/** In characters. Names are indexed; the state has them in full. */
const maximumName = 500;
const maximumWord = 255;

/** Returns the columns that a state event sets. */
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

/** Redaction keeps the content of join rules and history visibility. */
export const redactedSummaryOf = (key: StateKey): RoomChange =>
  key[0] === 'm.room.join_rules' || key[0] === 'm.room.history_visibility' ? {} : summaryOf(key, {});

/** Returns null for a missing text, or one with NUL, which PostgreSQL can't store. */
function textIn(content: JsonObject, name: string, maximum = Number.POSITIVE_INFINITY): string | null {
  const text = content[name];
  if (typeof text !== 'string' || text.includes('\0')) return null;
  return text.length > maximum ? text.slice(0, maximum).toWellFormed() : text;
}

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

/** The background update that fills these columns from the state of each room. */
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
