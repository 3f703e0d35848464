/**
 * How much the clients of one user keep as account data. All of it comes with a first sync, so that without a bound a
 * single request would take more memory than there is.
 */
import type { Cache } from '../core/cache.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { countAccountData } from './account-data-store.ts';

/** So many bytes one user may keep. */
const mostKept = 64 * 1024 ** 2;
/** Of who keeps too much it is counted again after so long, in milliseconds: another process may have made it less. */
const countedAgain = 10_000;

/** By user: how much there was when it was counted, with what this process has changed since. */
export type KeptBytes = Cache<string, { bytes: number; countedAt: number }>;

export type KeptBytesContext = { db: Database; clock: Clock; keptBytes: KeptBytes };

/**
 * Notes that a user's clients are about to keep so many bytes more.
 *
 * @throws MatrixError 413 `M_TOO_LARGE` where that is too much
 */
export async function requireRoomFor(
  { db, clock, keptBytes }: KeptBytesContext,
  userId: string,
  added: number,
): Promise<void> {
  const now = clock.now();
  const isTooMuch = ({ bytes }: { bytes: number }) => added > 0 && bytes + added > mostKept;
  let kept = keptBytes.get(userId);
  if (!kept || (isTooMuch(kept) && now >= kept.countedAt + countedAgain)) {
    kept = { bytes: await countAccountData(db, userId), countedAt: now };
    keptBytes.set(userId, kept);
  }
  if (isTooMuch(kept)) {
    throw new MatrixError(413, 'M_TOO_LARGE', 'This account has reached its limit of account data');
  }
  kept.bytes += added;
}
