/** Device list changes and key counts for application services that encrypt for their users. MSC3202. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { textsIn } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';
import { readKeyCounts } from '../encryption/one-time-key-store.ts';
import type { Range } from './app-service-news-store.ts';

/** Devices per transaction whose key counts are sent. */
const devicesAtMost = 200;

/** Users with changed devices who belong to the service or share an encrypted room with one of its users. */
export async function readChangedDevices(
  db: Database,
  { appServiceId, after, upTo, limit }: Range & { appServiceId: string },
): Promise<{ users: string[]; reached: number }> {
  const rows = await db
    .selectFrom('device_list_changes as change')
    .select(['change.user_id', 'change.stream_id'])
    .where('seen_by', '=', '')
    .where('change.stream_id', '>', after)
    .where('change.stream_id', '<=', upTo)
    .where((eb) =>
      eb.or([
        eb(
          'change.user_id',
          'in',
          eb.selectFrom('users').select('user_id').where('app_service_id', '=', appServiceId),
        ),
        eb.exists(
          eb
            .selectFrom('memberships as theirs')
            .innerJoin('memberships as its', 'its.room_id', 'theirs.room_id')
            .innerJoin('users', 'users.user_id', 'its.user_id')
            .innerJoin('rooms', 'rooms.room_id', 'theirs.room_id')
            .select('theirs.room_id')
            .whereRef('theirs.user_id', '=', 'change.user_id')
            .where('theirs.membership', 'in', ['join', 'invite'])
            .where('its.membership', '=', 'join')
            .where('users.app_service_id', '=', appServiceId)
            .where('rooms.encryption', 'is not', null),
        ),
      ]),
    )
    .orderBy('change.stream_id')
    .limit(limit)
    .execute();
  const isCut = rows.length === limit;
  return { users: rows.map((row) => row.user_id), reached: isCut ? (rows.at(-1)?.stream_id ?? upTo) : upTo };
}

export async function listEncryptedOf(db: Database, roomIds: Iterable<string>): Promise<Set<string>> {
  const rows = await db
    .selectFrom('rooms')
    .select('room_id')
    .where('room_id', 'in', textsIn(db, [...roomIds]))
    .where('encryption', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.room_id));
}

/** Returns those users who are joined or invited to an encrypted room of a user of the service. */
export async function listSharingWithService(
  db: Database,
  { appServiceId, userIds }: { appServiceId: string; userIds: Iterable<string> },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('memberships as theirs')
    .innerJoin('memberships as its', 'its.room_id', 'theirs.room_id')
    .innerJoin('users', 'users.user_id', 'its.user_id')
    .innerJoin('rooms', 'rooms.room_id', 'theirs.room_id')
    .select('theirs.user_id')
    .distinct()
    .where('theirs.user_id', 'in', textsIn(db, [...userIds]))
    .where('theirs.membership', 'in', ['join', 'invite'])
    .where('its.membership', '=', 'join')
    .where('users.app_service_id', '=', appServiceId)
    .where('rooms.encryption', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** The users and rooms of a transaction. */
export type About = { appServiceId: string; userIds: readonly string[]; roomIds: readonly string[] };

/** Key counts of the service's devices that a transaction concerns, by user and device ID. */
export async function readKeysLeft(
  db: Database,
  { appServiceId, userIds, roomIds }: About,
): Promise<{ counts: JsonObject; unusedFallbackKeys: JsonObject }> {
  const devices = await db
    .selectFrom('device_keys as device')
    .innerJoin('users', 'users.user_id', 'device.user_id')
    .select(['device.user_id', 'device.device_id'])
    .where('users.app_service_id', '=', appServiceId)
    .where((eb) =>
      eb.or([
        eb('users.user_id', 'in', textsIn(db, userIds)),
        eb.exists(
          eb
            .selectFrom('memberships')
            .select('memberships.room_id')
            .whereRef('memberships.user_id', '=', 'users.user_id')
            .where('membership', '=', 'join')
            .where('room_id', 'in', textsIn(db, roomIds)),
        ),
      ]),
    )
    .orderBy('device.user_id')
    .orderBy('device.device_id')
    .limit(devicesAtMost)
    .execute();
  const counts: Record<string, JsonObject> = {};
  const unusedFallbackKeys: Record<string, JsonObject> = {};
  for (const { user_id: userId, device_id: deviceId } of devices) {
    const left = await readKeyCounts(db, { userId, deviceId });
    counts[userId] = { ...counts[userId], [deviceId]: left.oneTimeKeys };
    unusedFallbackKeys[userId] = { ...unusedFallbackKeys[userId], [deviceId]: left.unusedFallbackKeys };
  }
  return { counts, unusedFallbackKeys };
}
