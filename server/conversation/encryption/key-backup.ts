/** Key backups. Client-server API, "Server-side key backups". */
import type { JsonObject } from '../../../shared/api/common.ts';
import { lockUser } from '../../identity/accounts/user-store.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import { invalidParameter, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  deleteKeys,
  findKeys,
  listKeys,
  type Selection,
  type StoredKey,
  setKeys,
} from './backed-up-key-store.ts';
import {
  type Backup,
  type BackupName,
  emptyBackup,
  findBackup,
  findLatestBackup,
  insertBackup,
  noteKeysChanged,
  setAuthData,
} from './key-backup-store.ts';

export type BackupVersion = { userId: string; version: string };
export type Change = Pick<Backup, 'etag' | 'count'>;

/** A busy account has about ten thousand in a year. */
const maximumKeys = 1_000_000;
const maximumNameBytes = 255;
const maximumKeyBytes = 64 * 1024;

/** Creates a backup version, which becomes the current one. Returns its number. */
export async function createBackup(
  db: Database,
  userId: string,
  backup: Pick<Backup, 'algorithm' | 'authData'>,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockUser(tx, userId);
    return insertBackup(tx, userId, backup);
  });
}

/** @throws MatrixError 404 */
export async function requireBackup(
  db: Database,
  { userId, version }: BackupVersion,
  sentence = unknown,
): Promise<Backup> {
  const number = asNumber(version);
  const backup = number === undefined ? undefined : await findBackup(db, { userId, version: number });
  if (!backup || backup.deleted) throw notFound(sentence);
  return backup;
}

/** Changes a backup's `auth_data`. @throws MatrixError 400 for another algorithm; 404 */
export async function updateBackup(
  db: Database,
  named: BackupVersion,
  { algorithm, authData }: { algorithm: string; authData: JsonObject },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { userId } = named;
    await lockUser(tx, userId);
    const { version, ...backup } = await requireBackup(tx, named);
    if (backup.algorithm !== algorithm) throw invalidParameter('Algorithm does not match');
    await setAuthData(tx, { userId, version }, authData);
  });
}

/** Deletes a backup; repeating that has no effect. @throws MatrixError 404 */
export async function deleteBackup(db: Database, { userId, version }: BackupVersion): Promise<void> {
  const number = asNumber(version);
  await inTransaction(db, async (tx) => {
    await lockUser(tx, userId);
    const backup = number === undefined ? undefined : await findBackup(tx, { userId, version: number });
    if (!backup) throw notFound(unknown);
    if (!backup.deleted) await emptyBackup(tx, { userId, version: backup.version });
  });
}

export async function readKeys(
  db: Database,
  named: BackupVersion,
  selection: Selection,
): Promise<AsyncIterable<StoredKey[]>> {
  const { version } = await requireBackup(db, named);
  return listKeys(db, { userId: named.userId, version }, selection);
}

/** @throws MatrixError 404 */
export async function removeKeys(db: Database, named: BackupVersion, selection: Selection): Promise<Change> {
  return inTransaction(db, async (tx) => {
    const { userId } = named;
    await lockUser(tx, userId);
    const backup = await requireBackup(tx, named);
    const name = { userId, version: backup.version };
    const gone = await deleteKeys(tx, name, selection);
    return gone > 0 ? noteKeysChanged(tx, name, -gone) : backup;
  });
}

/**
 * Stores keys in the current backup, unless it has better ones of the same sessions.
 *
 * @throws MatrixError 403 `M_WRONG_ROOM_KEYS_VERSION` for an older version; 404
 */
export async function addKeys(
  db: Database,
  named: BackupVersion,
  keys: readonly StoredKey[],
): Promise<Change> {
  for (const key of keys) requireSmall(key);
  return inTransaction(db, async (tx) => {
    const { userId } = named;
    await lockUser(tx, userId);
    const backup = await requireBackup(tx, named, `Version '${named.version.slice(0, 20)}' not found`);
    const latest = await findLatestBackup(tx, userId);
    if (latest && latest.version !== backup.version) throw wrongVersion(latest);
    const name = { userId, version: backup.version };
    const { changed, added } = await replaceWorse(tx, name, keys);
    if (changed === 0) return backup;
    if (backup.count + added > maximumKeys)
      throw invalidParameter(`A backup can contain at most ${maximumKeys} keys`);
    return noteKeysChanged(tx, name, added);
  });
}

/** Keeps the best key of each session. */
async function replaceWorse(
  tx: Parameters<typeof setKeys>[0],
  name: BackupName,
  keys: readonly StoredKey[],
): Promise<{ changed: number; added: number }> {
  let [changed, added] = [0, 0];
  for (const [roomId, ofRoom] of Map.groupBy(keys, (key) => key.roomId)) {
    for (const chunk of chunks(ofRoom, 500)) {
      const ids = chunk.map(({ sessionId }) => sessionId);
      const present = await findKeys(tx, name, roomId, ids);
      const better = chunk.filter((key) => {
        const old = present.get(key.sessionId);
        return !old || isBetter(key, old);
      });
      await setKeys(tx, name, better);
      changed += better.length;
      added += better.filter(({ sessionId }) => !present.has(sessionId)).length;
    }
  }
  return { changed, added };
}

type Ranked = Omit<StoredKey, 'sessionData'>;

/** By `is_verified`, then lower `first_message_index`, then lower `forwarded_count`. */
function isBetter(key: Ranked, old: Ranked): boolean {
  if (key.isVerified !== old.isVerified) return key.isVerified;
  if (key.firstMessageIndex !== old.firstMessageIndex) return key.firstMessageIndex < old.firstMessageIndex;
  return key.forwardedCount < old.forwardedCount;
}

function requireSmall({ roomId, sessionId, sessionData }: StoredKey): void {
  if (Math.max(Buffer.byteLength(roomId), Buffer.byteLength(sessionId)) > maximumNameBytes) {
    throw invalidParameter(`A room or session ID can have at most ${maximumNameBytes} bytes`);
  }
  if (Buffer.byteLength(JSON.stringify(sessionData)) > maximumKeyBytes) {
    throw new MatrixError(413, 'M_TOO_LARGE', `The key of session ${sessionId} is too long`);
  }
}

/** Returns undefined for an invalid version. */
const asNumber = (version: string) => (/^[1-9]\d{0,8}$/.test(version) ? Number(version) : undefined);

const unknown = 'Unknown backup version';

const wrongVersion = (latest: Backup) =>
  new MatrixError(403, 'M_WRONG_ROOM_KEYS_VERSION', 'Wrong room_keys version', {
    current_version: String(latest.version),
  });
