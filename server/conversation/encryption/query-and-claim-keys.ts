/** Querying and claiming keys. Matrix specification, client-server API, `POST /keys/query` and `/keys/claim`. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { CrossSigningKey, DeviceKeys } from '../../../shared/api/encryption-keys.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import { serverOf } from '../../platform/core/identifiers.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { type CrossSigningKeys, listCrossSigningKeys, publicPart } from './cross-signing-store.ts';
import { type KeyedDevice, listDeviceKeys } from './device-key-store.ts';
import { type DeviceName, type NamedKey, takeFallbackKey, takeOneTimeKey } from './one-time-key-store.ts';
import { listSignatures, type Signature } from './signature-store.ts';

export type QueriedKeys = {
  /** By user; nobody is left out who was asked for. */
  devices: Map<string, KeyedDevice[]>;
  crossSigning: Map<string, CrossSigningKeys>;
  /** Servers that were not asked: nobody else's users are known here. */
  foreignServers: Set<string>;
};

/**
 * The keys of users' devices, and their cross-signing keys, with the signatures that who asks may see. A user-signing
 * key tells whom its owner has met: only its owner gets it.
 *
 * @param asked the devices of each user that are wanted; all where there is none
 */
export async function queryKeys(
  { db, serverName }: { db: Database; serverName: string },
  viewer: string,
  asked: Readonly<Record<string, readonly string[]>>,
): Promise<QueriedKeys> {
  const { local, foreignServers } = byServer(Object.keys(asked), serverName);
  const devices = new Map<string, KeyedDevice[]>(local.map((userId) => [userId, []]));
  const signatures = signaturesByTarget(await listSignatures(db, local, viewer));
  for (const device of await listDeviceKeys(db, local)) {
    const wanted = asked[device.userId] ?? [];
    if (wanted.length > 0 && !wanted.includes(device.deviceId)) continue;
    const keys = withSignatures(device.keys, signatures(device.userId, device.deviceId));
    devices.get(device.userId)?.push({ ...device, keys });
  }
  const crossSigning = await listCrossSigningKeys(db, local);
  for (const [userId, keys] of crossSigning) {
    const { user_signing, ...shown } = keys;
    const seen = Object.entries(userId === viewer ? keys : shown).map(([usage, key]) => [
      usage,
      withSignatures(
        key,
        signatures(userId, publicPart(key)).filter(({ signer }) => signer === viewer),
      ),
    ]);
    crossSigning.set(userId, Object.fromEntries(seen));
  }
  return { devices, crossSigning, foreignServers };
}

/** Whose keys are here, and whose servers nobody asks. What is no user at all is passed over. */
export function byServer(userIds: string[], serverName: string) {
  const named = userIds.filter((userId) => userId.startsWith('@') && userId.includes(':'));
  const local = named.filter((userId) => serverOf(userId) === serverName);
  const foreign = named.filter((userId) => serverOf(userId) !== serverName);
  return { local, foreignServers: new Set(foreign.map(serverOf)) };
}

/** What a reply says of servers that nobody asked. */
export const asFailures = (servers: Iterable<string>): Record<string, JsonObject> =>
  Object.fromEntries(
    [...servers].map((server) => [server, { status: 503, message: "This server doesn't federate" }]),
  );

function signaturesByTarget(signatures: Signature[]) {
  const name = (userId: string, key: string) => JSON.stringify([userId, key]);
  const byName = Map.groupBy(signatures, ({ targetUserId, targetKey }) => name(targetUserId, targetKey));
  return (userId: string, key: string) => byName.get(name(userId, key)) ?? [];
}

function withSignatures<Keys extends DeviceKeys | CrossSigningKey>(keys: Keys, added: Signature[]): Keys {
  if (added.length === 0) return keys;
  const signers = new Map(Object.entries(keys.signatures ?? {}));
  for (const { signer, keyId, signature } of added) {
    signers.set(signer, { ...signers.get(signer), [keyId]: signature });
  }
  return { ...keys, signatures: Object.fromEntries(signers) };
}

type WantedKey = DeviceName & { algorithm: string };
type ClaimedKey = DeviceName & NamedKey;

/** Keys claimed in one transaction. */
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
