/** Quarantine in batches, so that no other request or upload waits for all of it. */
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { listMediaIdsOfUser } from './media-store.ts';
import { quarantineBatch, releaseBatch } from './quarantine-store.ts';
import { listRoomMediaOfServer } from './room-media-store.ts';

/** Media per transaction: some milliseconds of work. */
const batchSize = 200;

/**
 * Quarantines media and all with the same content, except protected ones.
 *
 * @returns the number of media that weren't quarantined before
 */
export const quarantineMedia = (db: Database, mediaIds: readonly string[], by: string): Promise<number> =>
  inBatches(db, (tx) => quarantineBatch(tx, mediaIds, by, batchSize));

/** Removes media, and all with the same content, from quarantine. */
export const releaseMedia = (db: Database, mediaId: string): Promise<number> =>
  inBatches(db, (tx) => releaseBatch(tx, mediaId, batchSize));

/** Quarantines a user's uploads. Returns their number. */
export async function quarantineUserMedia(db: Database, userId: string, by: string): Promise<number> {
  let quarantined = 0;
  let page = await listMediaIdsOfUser(db, userId, undefined, batchSize);
  for (; page.length > 0; page = await listMediaIdsOfUser(db, userId, page.at(-1), batchSize)) {
    const mediaIds = page.map(({ mediaId }) => mediaId);
    quarantined += await quarantineMedia(db, mediaIds, by);
  }
  return quarantined;
}

/** Quarantines local media in a room's events. Returns their number. */
export async function quarantineRoomMedia(
  db: Database,
  roomId: string,
  serverName: string,
  by: string,
): Promise<number> {
  let quarantined = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: string[] = await listRoomMediaOfServer(db, roomId, serverName, after, batchSize);
    after = page.at(-1);
    if (after !== undefined) quarantined += await quarantineMedia(db, page, by);
  }
  return quarantined;
}

/** @param changeBatch returns the number of changes; less than the batch size if there are no more */
async function inBatches(db: Database, changeBatch: (tx: Tx) => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const changed = await inTransaction(db, changeBatch);
    total += changed;
    if (changed < batchSize) return total;
  }
}
