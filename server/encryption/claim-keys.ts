/** Handing out the keys that encrypted sessions begin with. Matrix specification, client-server API, `POST /keys/claim`. */
import { chunks } from '../core/chunks.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { type DeviceName, type NamedKey, takeFallbackKey, takeOneTimeKey } from './one-time-key-store.ts';

export type WantedKey = DeviceName & { algorithm: string };
export type ClaimedKey = DeviceName & NamedKey;

/** As many are claimed in one transaction: others wait for it no longer than that. */
const claimsAtOnce = 100;

/**
 * Gives a key of each device that has one: a one-time key, which nobody else ever gets, or the fallback key where there
 * is none left.
 */
export async function claimKeys(db: Database, wanted: readonly WantedKey[]): Promise<ClaimedKey[]> {
  const claimed: ClaimedKey[] = [];
  for (const chunk of chunks(wanted, claimsAtOnce)) {
    const keys = await inTransaction(db, async (tx) => {
      const taken: ClaimedKey[] = [];
      for (const { algorithm, ...device } of chunk) {
        const key =
          (await takeOneTimeKey(tx, device, algorithm)) ?? (await takeFallbackKey(tx, device, algorithm));
        if (key) taken.push({ ...device, ...key });
      }
      return taken;
    });
    claimed.push(...keys);
  }
  return claimed;
}
