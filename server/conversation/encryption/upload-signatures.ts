/** Verifying and storing signatures of devices and cross-signing keys. Client-server API, `/keys/signatures/upload`. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { DeviceKeys } from '../../../shared/api/encryption-keys.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import { lockUser } from '../../identity/accounts/user-store.ts';
import {
  type DeviceListContext,
  noteDeviceListChange,
  noteSignatureBy,
} from '../../identity/sessions/device-list-store.ts';
import { forEachYielding } from '../../platform/concurrency/yield.ts';
import { invalidParameter, MatrixError, notFound, unknownError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { signedText, verifyJson } from '../rooms/signing-key.ts';
import {
  type CrossSigningKeys,
  findCrossSigningKeys,
  listCrossSigningKeys,
  publicPart,
} from './cross-signing-store.ts';
import { listDeviceKeys } from './device-key-store.ts';
import { type Signature, setSignatures } from './signature-store.ts';

type SignedObject = JsonObject & {
  signatures?: Record<string, Record<string, string>> | undefined;
};

/** 64 bytes in base64, padded. */
const maximumSignature = 88;

/** Returns a key's signature on an object if it's valid. @param keyId with the algorithm */
export function validSignature(
  object: SignedObject,
  userId: string,
  keyId: string,
  publicKey: string,
): string | undefined {
  const signature = object.signatures?.[userId]?.[keyId];
  if (typeof signature !== 'string' || signature.length > maximumSignature) return undefined;
  try {
    return verifyJson(object, userId, keyId, publicKey) ? signature : undefined;
  } catch {
    // Not a key, or no canonical form.
    return undefined;
  }
}

function isSameUnsigned(one: SignedObject, other: SignedObject): boolean {
  try {
    return signedText(one) === signedText(other);
  } catch {
    return false;
  }
}

/** Including signatures. */
export function isSame(one: SignedObject, other: SignedObject): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}

export const invalidSignature = (sentence: string) => new MatrixError(400, 'M_INVALID_SIGNATURE', sentence);

/** By user ID, then by device ID or public key. */
type SignedObjects = Record<string, Record<string, SignedObject>>;

type SignatureFailure = { userId: string; key: string; error: MatrixError };

type Key = readonly [keyId: string, publicKey: string];

const maximumSigned = 5_000;

/**
 * Stores valid signatures of a user: on own devices by the self-signing key, on the own master key by own devices, and on
 * other master keys by the user-signing key. Returns the invalid ones.
 *
 * @throws MatrixError 400 for too many at once
 */
export async function uploadSignatures(
  context: DeviceListContext & { db: Database },
  userId: string,
  things: SignedObjects,
): Promise<SignatureFailure[]> {
  const { db } = context;
  const named = Object.entries(things).flatMap(([targetUserId, byKey]) =>
    Object.entries(byKey).map(([key, object]) => ({ targetUserId, key, object })),
  );
  if (named.length > maximumSigned)
    throw invalidParameter(`At most ${maximumSigned} devices and keys can be signed at once`);
  const known = await readKnown(db, userId, Object.keys(things));
  const failures: SignatureFailure[] = [];
  const found: Signature[] = [];
  await forEachYielding(named, ({ targetUserId, key, object }) => {
    try {
      const { target, signers } = findTarget(known, userId, targetUserId, key);
      found.push(...checkedSignatures(userId, targetUserId, key, object, target, signers));
    } catch (error) {
      if (!(error instanceof MatrixError)) throw error;
      failures.push({ userId: targetUserId, key, error });
    }
  });
  const targets = new Set(found.map(({ targetUserId }) => targetUserId));
  if (found.length > 0) {
    await inTransaction(db, async (tx) => {
      await lockUser(tx, userId);
      await setSignatures(tx, found);
      // Others must not learn whom the user has verified.
      for (const target of targets) {
        if (target === userId) await noteDeviceListChange(tx, context, userId);
        else await noteSignatureBy(tx, context, userId, target);
      }
    });
  }
  return failures;
}

type KnownKeys = {
  own: CrossSigningKeys;
  devices: Map<string, DeviceKeys>;
  others: Map<string, CrossSigningKeys>;
};

async function readKnown(db: Database, userId: string, targets: string[]): Promise<KnownKeys> {
  const devices = targets.includes(userId) ? await listDeviceKeys(db, [userId]) : [];
  return {
    own: await findCrossSigningKeys(db, userId),
    devices: new Map(devices.map(({ deviceId, keys }) => [deviceId, keys])),
    others: await listCrossSigningKeys(
      db,
      targets.filter((target) => target !== userId),
    ),
  };
}

/** Returns the stored object and the keys that may sign it. */
function findTarget(
  { own, devices, others }: KnownKeys,
  userId: string,
  targetUserId: string,
  key: string,
): { target: SignedObject; signers: Key[] } {
  if (targetUserId !== userId) {
    const { master } = others.get(targetUserId) ?? {};
    if (!master) throw notFound(`No master key found for ${targetUserId}`);
    if (publicPart(master) !== key) throw notFound('Unknown device');
    if (!own.user_signing) throw notFound(`No user_signing key found for ${userId}`);
    return { target: master, signers: [asSigner(publicPart(own.user_signing))] };
  }
  if (own.master && publicPart(own.master) === key) {
    const signers = [...devices.keys()].map(
      (deviceId): Key => [`ed25519:${deviceId}`, devices.get(deviceId)?.keys[`ed25519:${deviceId}`] ?? ''],
    );
    return { target: own.master, signers };
  }
  const target = devices.get(key);
  if (!target) throw notFound('Unknown device');
  if (!own.self_signing) throw notFound(`No self_signing key found for ${userId}`);
  return { target, signers: [asSigner(publicPart(own.self_signing))] };
}

const asSigner = (publicKey: string): Key => [`ed25519:${publicKey}`, publicKey];

function checkedSignatures(
  signer: string,
  targetUserId: string,
  targetKey: string,
  object: SignedObject,
  target: SignedObject,
  signers: readonly Key[],
): Signature[] {
  const own = object.signatures?.[signer] ?? {};
  const signatures = signers.flatMap(([keyId, publicKey]) => {
    if (!Object.hasOwn(own, keyId)) return [];
    const signature = validSignature(object, signer, keyId, publicKey);
    if (signature === undefined) throw invalidSignature('Invalid signature');
    return [{ signer, keyId, targetUserId, targetKey, signature }];
  });
  if (signatures.length === 0) throw invalidSignature('Invalid signature');
  if (!isSameUnsigned(object, target)) throw unknownError('Key does not match');
  return signatures;
}
