/** Signatures that users put on devices and on each other's keys. */
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Signature = {
  signer: string;
  /** With its algorithm. */
  keyId: string;
  targetUserId: string;
  /** A device, or the public part of a cross-signing key. */
  targetKey: string;
  signature: string;
};

/** Keeps a signature, in place of one of the same key. */
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

/** The signatures on what belongs to these users that a user may see: the owners' and the user's own. */
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

/** What a user's key was signed with, and what it signed of the user's own, goes with the key. */
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
