/**
 * Users whose device lists a client has to fetch again, and those it can stop tracking: members of shared encrypted
 * rooms, invited ones included. Matrix specification, client-server API, "Tracking the device list for a user".
 */
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import {
  type Interval,
  listChangedUsers,
  listEncryptedSince,
  listMembershipChangesOfOthers,
  listMembersOf,
  listOwnMembershipChanges,
  listSharing,
} from './device-list-change-store.ts';

export type DeviceListChanges = { changed: string[]; left: string[] };

/** @param mayHaveMoved whether memberships of encrypted rooms may have changed in the interval */
export async function readDeviceListChanges(
  db: Database,
  interval: Interval,
  { mayHaveMoved = true } = {},
): Promise<DeviceListChanges> {
  const { after, upTo } = interval;
  const changed =
    after.changes < upTo.changes ? new Set(await listChangedUsers(db, interval)) : new Set<string>();
  const left =
    mayHaveMoved && after.events < upTo.events ? await readMembershipChanges(db, interval, changed) : [];
  return { changed: [...changed], left };
}

/** Adds users who now share an encrypted room to `changed`; returns those who no longer do. */
async function readMembershipChanges(
  db: Database,
  interval: Interval,
  changed: Set<string>,
): Promise<string[]> {
  const { userId } = interval;
  const others = await listMembershipChangesOfOthers(db, interval);
  const own = await listOwnMembershipChanges(db, interval);

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

/** Invited users may be allowed to read messages from before they join. */
const isIn = (membership: string) => membership === 'join' || membership === 'invite';
