/** Users' signatures on devices and cross-signing keys. */
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Signature = {
  signer: string;
  /** With its algorithm. */
  keyId: string;
  targetUserId: string;
  /** Device ID, or the public part of a cross-signing key. */
  targetKey: string;
  signature: string;
};

/** Inserts signatures or replaces those by the same keys. */
export async function setSignatures(tx: Tx, signatures: readonly Signature[]): Promise<void> {
  for (const { signer, keyId, targetUserId, targetKey, signature } of signatures) {
    await tx
      .insertInto('key_signatures')
      .values({
        user_id: signer,
        key_id: keyId,
        target_user_id: targetUserId,
        target_key: targetKey,
        signature,
      })
      .onConflict((conflict) =>
        conflict.columns(['target_user_id', 'target_key', 'user_id', 'key_id']).doUpdateSet({ signature }),
      )
      .execute();
  }
}

/** Returns signatures on these users' devices and keys: the owners' and the viewer's. */
export async function listSignatures(
  db: Database,
  targetUserIds: readonly string[],
  viewer: string,
): Promise<Signature[]> {
  const signatures: Signature[] = [];
  for (const chunk of chunks(targetUserIds, 500)) {
    const rows = await db
      .selectFrom('key_signatures')
      .selectAll()
      .where('target_user_id', 'in', chunk)
      .where((eb) => eb.or([eb('user_id', '=', eb.ref('target_user_id')), eb('user_id', '=', viewer)]))
      .execute();
    for (const row of rows) {
      signatures.push({
        signer: row.user_id,
        keyId: row.key_id,
        targetUserId: row.target_user_id,
        targetKey: row.target_key,
        signature: row.signature,
      });
    }
  }
  return signatures;
}

export async function deleteDeviceSignatures(
  tx: Tx,
  userId: string,
  deviceIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('key_signatures')
    .where('target_user_id', '=', userId)
    .where('target_key', 'in', deviceIds)
    .execute();
}

/** Deletes the signatures on a key, and those by it on the user's own devices and keys. */
export async function deleteKeySignatures(tx: Tx, userId: string, publicKey: string): Promise<void> {
  await tx
    .deleteFrom('key_signatures')
    .where('target_user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('target_key', '=', publicKey),
        eb.and([eb('user_id', '=', userId), eb('key_id', '=', `ed25519:${publicKey}`)]),
      ]),
    )
    .execute();
}
