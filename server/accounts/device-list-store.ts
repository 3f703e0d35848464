/**
 * When users' devices, and the keys that vouch for them, changed last: what clients learn from `/sync` that encrypt for
 * them. Matrix specification, client-server API, "Tracking the device list for a user".
 */
import { nextChange } from '../database/changes.ts';
import type { Tx } from '../database/transaction.ts';

/** @param seenBy whom it concerns alone; left out, everyone who shares an encrypted room with the user */
export async function noteDeviceListChange(tx: Tx, userId: string, seenBy = ''): Promise<void> {
  const place = await nextChange(tx);
  await tx
    .insertInto('device_list_changes')
    .values({ user_id: userId, seen_by: seenBy, stream_id: place })
    .onConflict((conflict) => conflict.columns(['user_id', 'seen_by']).doUpdateSet({ stream_id: place }))
    .execute();
}
