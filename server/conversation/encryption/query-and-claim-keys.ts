/** Querying and claiming keys. Client-server API, `/keys/query` and `/keys/claim`. */
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
  /** By user ID, including users without devices. */
  devices: Map<string, KeyedDevice[]>;
  crossSigning: Map<string, CrossSigningKeys>;
  /** Other servers of requested users, which can't be asked. */
  foreignServers: Set<string>;
};

/**
 * Returns device keys and cross-signing keys with the signatures that the viewer may see. Only the owner gets a user-signing
 * key.
 *
 * @param requested device IDs by user ID; an empty list means all
 */
export async function queryKeys(
  { db, serverName }: { db: Database; serverName: string },
  viewer: string,
  requested: Readonly<Record<string, readonly string[]>>,
): Promise<QueriedKeys> {
  const { local, foreignServers } = byServer(Object.keys(requested), serverName);
  const devices = new Map<string, KeyedDevice[]>(local.map((userId) => [userId, []]));
  const signatures = signaturesByTarget(await listSignatures(db, local, viewer));
  for (const device of await listDeviceKeys(db, local)) {
    const wanted = requested[device.userId] ?? [];
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

/** Splits users into local ones and servers of others. Ignores invalid user IDs. */
export function byServer(userIds: string[], serverName: string) {
  const named = userIds.filter((userId) => userId.startsWith('@') && userId.includes(':'));
  const local = named.filter((userId) => serverOf(userId) === serverName);
  const foreign = named.filter((userId) => serverOf(userId) !== serverName);
  return { local, foreignServers: new Set(foreign.map(serverOf)) };
}

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

type RequestedKey = DeviceName & { algorithm: string };
type ClaimedKey = DeviceName & NamedKey;

/** Keys claimed in one transaction. */
const claimsAtOnce = 100;

/** Claims a one-time key of each device, or returns its fallback key if none is left. */
export async function claimKeys(db: Database, wanted: readonly RequestedKey[]): Promise<ClaimedKey[]> {
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
