/** The keys by which a user vouches for devices and for others. Matrix specification, client-server API, "Cross-signing". */
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
import { invalidSignature, isSame, rightSignature } from './upload-signatures.ts';

const usages = ['master', 'self_signing', 'user_signing'] as const satisfies Usage[];
const maximumKeyBytes = 64 * 1024;

/** What a request wants to change. `needsPassword` where a user has keys already, and others come in their place. */
type CrossSigningChange = { keys: CrossSigningKeys; needsPassword: boolean };

/** How long an administrator's word holds, in milliseconds, as at the reference homeserver. */
const freeFor = 10 * 60_000;

/**
 * Lets a user who can't give a password replace the keys for a while, once. The reference homeserver's "Allow
 * replacing master cross-signing key without User-Interactive Auth".
 *
 * @returns until when, in milliseconds since the Unix epoch
 * @throws MatrixError 404 for who has no master key
 */
export async function allowReplacement({ db, clock }: Clocked, userId: string): Promise<number> {
  const untilTs = clock.now() + freeFor;
  if (!(await freeMasterKey(db, userId, untilTs))) throw notFound('User has no master cross-signing key');
  return untilTs;
}

type Clocked = { db: Database; clock: Clock };

/**
 * Looks at keys that a user uploads. The first ones, those that are there already, and those that an administrator
 * lets the user replace, need no password.
 *
 * @throws MatrixError 400 for keys that are not the user's or not signed by the master key
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
    if (rightSignature(key, userId, `ed25519:${publicKey}`, publicKey) === undefined) {
      throw invalidSignature(`Invalid signature on ${usage} key`);
    }
  }
  const replaces = present.master !== undefined && Object.keys(changed).length > 0;
  const needsPassword = replaces && !(await isMasterKeyFree(db, userId, clock.now()));
  return { keys: changed, needsPassword };
}

/** Keeps the keys; what the ones in their place vouched for goes with those. */
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

/** Whether a text is a key of ed25519: 32 bytes in base64, with or without padding, of either alphabet. */
const isPublicKey = (text: string) =>
  /^[\w+/-]{43}=?$/.test(text) && Buffer.from(text, 'base64').length === 32;
