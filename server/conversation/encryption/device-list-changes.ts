/**
 * Of whose devices somebody has to learn anew, and of whose no longer: all who share an encrypted room, or have been
 * invited into one. Matrix specification, client-server API, "Tracking the device list for a user".
 */
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import {
  type Interval,
  listChangedUsers,
  listEncryptedSince,
  listMembersOf,
  listMovesOfOthers,
  listOwnMoves,
  listSharing,
} from './device-list-change-store.ts';

export type DeviceListChanges = { changed: string[]; left: string[] };

/**
 * Whose keys a user's clients have to ask for again, and whose they needn't follow any more.
 *
 * @param mayHaveMoved whether anybody may have come into an encrypted room or gone in the interval
 */
export async function readDeviceListChanges(
  db: Database,
  interval: Interval,
  { mayHaveMoved = true } = {},
): Promise<DeviceListChanges> {
  const { after, upTo } = interval;
  const changed =
    after.changes < upTo.changes ? new Set(await listChangedUsers(db, interval)) : new Set<string>();
  const left = mayHaveMoved && after.events < upTo.events ? await readMoves(db, interval, changed) : [];
  return { changed: [...changed], left };
}

/** Adds who shares a room since lately; gives who doesn't any more. */
async function readMoves(db: Database, interval: Interval, changed: Set<string>): Promise<string[]> {
  const { userId } = interval;
  const others = await listMovesOfOthers(db, interval);
  const own = await listOwnMoves(db, interval);

  const entered = own.filter(({ before, now }) => now === 'join' && before !== 'join');
  const added = await listMembersOf(db, [
    ...entered.map(({ roomId }) => roomId),
    ...(await listEncryptedSince(db, interval)),
  ]);
  for (const each of added) if (each !== userId) changed.add(each);
  for (const move of others) if (isIn(move.now) && !isIn(move.before)) changed.add(move.userId);

  const leftRooms = own.filter(({ before, now }) => before === 'join' && now !== 'join');
  const gone = new Set(
    await listMembersOf(
      db,
      leftRooms.map(({ roomId }) => roomId),
    ),
  );
  for (const move of others) if (!isIn(move.now) && isIn(move.before)) gone.add(move.userId);
  gone.delete(userId);
  for (const chunk of chunks([...gone], 500)) {
    for (const sharing of await listSharing(db, userId, chunk)) gone.delete(sharing);
  }
  for (const each of gone) changed.delete(each);
  return [...gone];
}

/** Who is invited may be let read what was written before they come. */
const isIn = (membership: string) => membership === 'join' || membership === 'invite';
