/** Cross-signing keys. Client-server API, "Cross-signing". */
import type { CrossSigningKey } from '../../../shared/api/encryption-keys.ts';
import { lockUser } from '../../identity/accounts/user-store.ts';
import { type DeviceListContext, noteDeviceListChange } from '../../identity/sessions/device-list-store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import {
  invalidParameter,
  MatrixError,
  missingParameter,
  notFound,
} from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  type CrossSigningKeys,
  findCrossSigningKeys,
  freeMasterKey,
  isMasterKeyFree,
  publicPart,
  setCrossSigningKey,
  type Usage,
} from './cross-signing-store.ts';
import { deleteKeySignatures } from './signature-store.ts';
import { invalidSignature, isSame, validSignature } from './upload-signatures.ts';

const usages = ['master', 'self_signing', 'user_signing'] as const satisfies Usage[];
const maximumKeyBytes = 64 * 1024;

/** `needsPassword` is set if existing keys are replaced. */
type CrossSigningChange = { keys: CrossSigningKeys; needsPassword: boolean };

/** Like Synapse, in milliseconds. */
const freeFor = 10 * 60_000;

/**
 * Lets a user replace the keys once without a password. Synapse's "Allow replacing master cross-signing key without
 * User-Interactive Auth".
 *
 * @returns when that ends, in milliseconds since the Unix epoch
 * @throws MatrixError 404 if the user has no master key
 */
export async function allowReplacement({ db, clock }: Clocked, userId: string): Promise<number> {
  const untilTs = clock.now() + freeFor;
  if (!(await freeMasterKey(db, userId, untilTs))) throw notFound('User has no master cross-signing key');
  return untilTs;
}

type Clocked = { db: Database; clock: Clock };

/**
 * Validates uploaded keys. No password is needed for first and unchanged keys, and for a replacement that an admin
 * allowed.
 *
 * @throws MatrixError 400 for keys that aren't the user's or aren't signed by the master key
 */
export async function prepareCrossSigning(
  { db, clock }: Clocked,
  userId: string,
  keys: CrossSigningKeys,
): Promise<CrossSigningChange> {
  const present = await findCrossSigningKeys(db, userId);
  const changed: CrossSigningKeys = {};
  for (const usage of usages) {
    const key = keys[usage];
    if (!key) continue;
    requireKey(userId, usage, key);
    const old = present[usage];
    if (!old || !isSame(old, key)) changed[usage] = key;
  }
  const master = keys.master ?? present.master;
  for (const usage of ['self_signing', 'user_signing'] as const) {
    const key = changed[usage];
    if (!key) continue;
    if (!master) throw missingParameter('No master key available');
    const publicKey = publicPart(master);
    if (validSignature(key, userId, `ed25519:${publicKey}`, publicKey) === undefined) {
      throw invalidSignature(`Invalid signature on ${usage} key`);
    }
  }
  const replaces = present.master !== undefined && Object.keys(changed).length > 0;
  const needsPassword = replaces && !(await isMasterKeyFree(db, userId, clock.now()));
  return { keys: changed, needsPassword };
}

/** Stores the keys and deletes signatures of replaced ones. */
export async function changeCrossSigning(
  context: DeviceListContext & { db: Database },
  userId: string,
  keys: CrossSigningKeys,
): Promise<void> {
  if (Object.keys(keys).length === 0) return;
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    const present = await findCrossSigningKeys(tx, userId);
    for (const usage of usages) {
      const [key, old] = [keys[usage], present[usage]];
      if (!key) continue;
      if (old && publicPart(old) !== publicPart(key)) await deleteKeySignatures(tx, userId, publicPart(old));
      await setCrossSigningKey(tx, userId, usage, key);
    }
    await noteDeviceListChange(tx, context, userId);
  });
}

function requireKey(userId: string, usage: Usage, key: CrossSigningKey): void {
  const names = Object.keys(key.keys);
  const isOne =
    names.length === 1 && names[0] === `ed25519:${publicPart(key)}` && isPublicKey(publicPart(key));
  if (key.user_id !== userId || !key.usage.includes(usage) || !isOne) {
    throw invalidParameter(`Invalid ${usage} key`);
  }
  if (Buffer.byteLength(JSON.stringify(key)) > maximumKeyBytes) {
    throw new MatrixError(413, 'M_TOO_LARGE', 'Cross-signing key is too large (max 64 KiB)');
  }
}

/** Ed25519 key: 32 bytes in either alphabet of base64, with or without padding. */
const isPublicKey = (text: string) =>
  /^[\w+/-]{43}=?$/.test(text) && Buffer.from(text, 'base64').length === 32;
