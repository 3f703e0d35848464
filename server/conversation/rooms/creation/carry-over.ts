/** Copies users' settings of a room to its replacement. Client-server API, "Room upgrades". */
import type { JsonObject } from '../../../../shared/api/common.ts';
import {
  findAccountData,
  findAccountDataJson,
  setAccountData,
} from '../../../identity/account-data/account-data-store.ts';
import { lockUser } from '../../../identity/accounts/user-store.ts';
import type { Notifier } from '../../../platform/concurrency/notifier.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import { carryRules, type Replacement } from '../../notifications/change-push-rules.ts';
import { findState } from '../state/room-state-store.ts';

/** Copies a joining user's tags, `m.direct` entries and push rules from the room that this one replaces, if any. */
export async function carryOver(tx: Tx, notifier: Notifier, userId: string, roomId: string): Promise<void> {
  const from = await findReplaced(tx, roomId);
  if (from === undefined) return;
  const replacement = { from, to: roomId };
  await lockUser(tx, userId);
  await carryTags(tx, userId, replacement);
  await carryDirect(tx, userId, replacement);
  await carryRules(tx, notifier, userId, replacement);
}

/** Returns the predecessor, if its tombstone confirms it: anyone could claim to replace any room. */
async function findReplaced(db: Database, roomId: string): Promise<string | undefined> {
  const [creation] = await findState(db, roomId, [['m.room.create', '']]);
  const predecessor = creation?.pdu.content.predecessor as JsonObject | null | undefined;
  const from = predecessor?.room_id;
  if (typeof from !== 'string') return undefined;
  const [closing] = await findState(db, from, [['m.room.tombstone', '']]);
  const isReplaced = closing?.redactedBy === null && closing.pdu.content.replacement_room === roomId;
  return isReplaced ? from : undefined;
}

async function carryTags(tx: Tx, userId: string, { from, to }: Replacement): Promise<void> {
  const type = 'm.tag';
  const tags = await findAccountDataJson(tx, { userId, roomId: from, type });
  if (!tags || (await findAccountDataJson(tx, { userId, roomId: to, type }))) return;
  await setAccountData(tx, { userId, roomId: to, type }, tags);
}

async function carryDirect(tx: Tx, userId: string, { from, to }: Replacement): Promise<void> {
  const key = { userId, type: 'm.direct' };
  const direct = (await findAccountData(tx, key)) ?? {};
  const isMissing = (rooms: unknown) => Array.isArray(rooms) && rooms.includes(from) && !rooms.includes(to);
  if (!Object.values(direct).some(isMissing)) return;
  const carried = Object.entries(direct).map(([other, rooms]) => [
    other,
    isMissing(rooms) ? [...(rooms as unknown[]), to] : rooms,
  ]);
  await setAccountData(tx, key, JSON.stringify(Object.fromEntries(carried)));
}
