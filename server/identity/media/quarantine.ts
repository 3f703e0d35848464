/**
 * Keeping media away from users, and giving them back: as many as there are, a piece at a time, so that neither
 * other requests nor uploads wait for all of it. Whatever is uploaded meanwhile meets content that is quarantined
 * already, or is quarantined with it.
 */
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { listIdsOfUser } from './media-store.ts';
import { quarantineSome, releaseSome } from './quarantine-store.ts';
import { listRoomMediaOf } from './room-media-store.ts';

type Context = { db: Database };

/** How many change in one transaction: some milliseconds of work. */
const atOnce = 200;

/**
 * Quarantines media and whatever has the same content, except what is protected and what is quarantined already.
 *
 * @returns how many were quarantined
 */
export const quarantineMedia = ({ db }: Context, mediaIds: readonly string[], by: string): Promise<number> =>
  untilDone(db, (tx) => quarantineSome(tx, mediaIds, by, atOnce));

/** Gives media back to users, with whatever has the same content. */
export const releaseMedia = ({ db }: Context, mediaId: string): Promise<number> =>
  untilDone(db, (tx) => releaseSome(tx, mediaId, atOnce));

/** Quarantines everything that a user uploaded, and gives how many that were. */
export async function quarantineMediaOfUser({ db }: Context, userId: string, by: string): Promise<number> {
  let quarantined = 0;
  let page = await listIdsOfUser(db, userId, undefined, atOnce);
  for (; page.length > 0; page = await listIdsOfUser(db, userId, page.at(-1), atOnce)) {
    const mediaIds = page.map(({ mediaId }) => mediaId);
    quarantined += await quarantineMedia({ db }, mediaIds, by);
  }
  return quarantined;
}

/** The same for the media of this server that the events of a room name. */
export async function quarantineMediaOfRoom(
  { db }: Context,
  roomId: string,
  serverName: string,
  by: string,
): Promise<number> {
  let quarantined = 0;
  let page = await listRoomMediaOf(db, roomId, serverName, '', atOnce);
  for (; page.length > 0; page = await listRoomMediaOf(db, roomId, serverName, page.at(-1) ?? '', atOnce)) {
    quarantined += await quarantineMedia({ db }, page, by);
  }
  return quarantined;
}

/** @param some changes a bounded number and gives how many */
async function untilDone(db: Database, some: (tx: Tx) => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const changed = await inTransaction(db, some);
    total += changed;
    if (changed < atOnce) return total;
  }
}
