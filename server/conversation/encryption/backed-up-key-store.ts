/** Keys in a backup, one per session. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import { mapYielding } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import type { BackupName } from './key-backup-store.ts';

export type SessionName = { roomId: string; sessionId: string };
/** Limits keys to a room or session. */
export type Selection = Partial<SessionName>;

export type StoredKey = SessionName & {
  firstMessageIndex: number;
  forwardedCount: number;
  isVerified: boolean;
  sessionData: JsonObject;
};

const rowsAtOnce = 100;

/** Yields pages of keys by room and session, because all keys may not fit in memory. */
export async function* listKeys(
  db: Database,
  { userId, version }: BackupName,
  { roomId, sessionId }: Selection,
): AsyncGenerator<StoredKey[]> {
  let wanted = db
    .selectFrom('key_backup_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .orderBy('room_id')
    .orderBy('session_id')
    .limit(rowsAtOnce);
  if (roomId !== undefined) wanted = wanted.where('room_id', '=', roomId);
  if (sessionId !== undefined) wanted = wanted.where('session_id', '=', sessionId);
  let last: StoredKey | undefined;
  for (;;) {
    const behind = last;
    const next = behind
      ? wanted.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('room_id', 'session_id'), '>', tuple(behind.roomId, behind.sessionId)),
        )
      : wanted;
    const rows = await next.execute();
    const keys = await mapYielding(rows, asStoredKey);
    yield keys;
    if (rows.length < rowsAtOnce) return;
    last = keys.at(-1);
  }
}

type KeyRow = {
  room_id: string;
  session_id: string;
  first_message_index: number;
  forwarded_count: number;
  is_verified: number;
  session_data: string;
};

const asStoredKey = (row: KeyRow): StoredKey => ({
  roomId: row.room_id,
  sessionId: row.session_id,
  firstMessageIndex: row.first_message_index,
  forwardedCount: row.forwarded_count,
  isVerified: row.is_verified === 1,
  sessionData: readJson(row.session_data),
});

export async function findKeys(
  db: Database,
  { userId, version }: BackupName,
  roomId: string,
  sessionIds: readonly string[],
): Promise<Map<string, Omit<StoredKey, 'sessionData'>>> {
  const rows = await db
    .selectFrom('key_backup_sessions')
    .select(['session_id', 'first_message_index', 'forwarded_count', 'is_verified'])
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .where('room_id', '=', roomId)
    .where('session_id', 'in', sessionIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.session_id,
      {
        roomId,
        sessionId: row.session_id,
        firstMessageIndex: row.first_message_index,
        forwardedCount: row.forwarded_count,
        isVerified: row.is_verified === 1,
      },
    ]),
  );
}

/** Inserts keys or replaces those of the same sessions. */
export async function setKeys(
  tx: Tx,
  { userId, version }: BackupName,
  keys: readonly StoredKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .insertInto('key_backup_sessions')
    .values(
      keys.map((key) => ({
        user_id: userId,
        version,
        room_id: key.roomId,
        session_id: key.sessionId,
        first_message_index: key.firstMessageIndex,
        forwarded_count: key.forwardedCount,
        is_verified: Number(key.isVerified),
        session_data: JSON.stringify(key.sessionData),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'version', 'room_id', 'session_id']).doUpdateSet((eb) => ({
        first_message_index: eb.ref('excluded.first_message_index'),
        forwarded_count: eb.ref('excluded.forwarded_count'),
        is_verified: eb.ref('excluded.is_verified'),
        session_data: eb.ref('excluded.session_data'),
      })),
    )
    .execute();
}

/** Returns the number of deleted keys. */
export async function deleteKeys(
  tx: Tx,
  { userId, version }: BackupName,
  { roomId, sessionId }: Selection,
): Promise<number> {
  let query = tx
    .deleteFrom('key_backup_sessions')
    .where('user_id', '=', userId)
    .where('version', '=', version);
  if (roomId !== undefined) query = query.where('room_id', '=', roomId);
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
  const { numDeletedRows } = await query.executeTakeFirst();
  return Number(numDeletedRows);
}
