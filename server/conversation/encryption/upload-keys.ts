/** Uploading device keys, one-time keys and fallback keys. Client-server API, "Key management". */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../shared/api/common.ts';
import { type DeviceKeys, maximumOneTimeKeys } from '../../../shared/api/encryption-keys.ts';
import { lockUser } from '../../identity/accounts/user-store.ts';
import { type DeviceListContext, noteDeviceListChange } from '../../identity/sessions/device-list-store.ts';
import { findDevice } from '../../identity/sessions/device-store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { badJson, invalidParameter, MatrixError, unknownError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { setDeviceKeys } from './device-key-store.ts';
import {
  type DeviceName,
  findOneTimeKeys,
  insertOneTimeKeys,
  type NamedKey,
  readKeyCounts,
  setFallbackKey,
} from './one-time-key-store.ts';
import { deleteDeviceSignatures } from './signature-store.ts';

export type UploadedKeys = {
  device_keys?: DeviceKeys | undefined;
  one_time_keys?: KeysByName | null | undefined;
  fallback_keys?: KeysByName | null | undefined;
};

type KeysByName = Record<string, string | JsonObject>;

const maximumNameBytes = 255;
/** Enough for a key with many signatures. */
const maximumKeyBytes = 8 * 1024;
const maximumDeviceKeyBytes = 64 * 1024;

export type UploadContext = DeviceListContext & { db: Database; clock: Clock };

/**
 * Stores uploaded keys, all or none.
 *
 * @returns the device's number of one-time keys by algorithm
 * @throws MatrixError 400 for keys of another device, an existing key ID with other content, or too many keys; 413
 */
export async function uploadKeys(
  context: UploadContext,
  device: DeviceName,
  body: UploadedKeys,
): Promise<Record<string, number>> {
  const { db, clock } = context;
  const keys = parseUpload(device, body);
  if (keys.deviceKeys || keys.oneTimeKeys.length > 0 || keys.fallbackKeys.length > 0) {
    await inTransaction(db, async (tx) => {
      // The device can't be deleted in the meantime.
      await lockUser(tx, device.userId);
      if (!(await findDevice(tx, device.userId, device.deviceId))) throw unknownDevice();
      await storeKeys(tx, context, device, keys, clock.now());
    });
  }
  return (await readKeyCounts(db, device)).oneTimeKeys;
}

type ParsedKeys = {
  deviceKeys: DeviceKeys | undefined;
  oneTimeKeys: NamedKey[];
  fallbackKeys: NamedKey[];
};

/** @throws MatrixError 400 for keys of another device or invalid IDs; 413 for long keys */
export function parseUpload(device: DeviceName, body: UploadedKeys): ParsedKeys {
  if (body.device_keys) requireOwnKeys(device, body.device_keys);
  return {
    deviceKeys: body.device_keys,
    oneTimeKeys: namedKeys(body.one_time_keys ?? {}, 'one_time_keys'),
    fallbackKeys: namedKeys(body.fallback_keys ?? {}, 'fallback_keys'),
  };
}

/** The device must exist, and its user must be locked. */
export async function storeKeys(
  tx: Tx,
  context: DeviceListContext,
  device: DeviceName,
  { deviceKeys, oneTimeKeys, fallbackKeys }: ParsedKeys,
  now: number,
): Promise<void> {
  await addOneTimeKeys(tx, device, oneTimeKeys, now);
  for (const key of fallbackKeys) await setFallbackKey(tx, device, key);
  if (deviceKeys) await changeDeviceKeys(tx, context, device, deviceKeys);
}

async function changeDeviceKeys(
  tx: Tx,
  context: DeviceListContext,
  device: DeviceName,
  keys: DeviceKeys,
): Promise<void> {
  // The server adds `unsigned` itself.
  const { unsigned: _, ...signed } = keys as DeviceKeys & { unsigned?: unknown };
  if (!(await setDeviceKeys(tx, device, signed))) return;
  // They were for the previous keys.
  await deleteDeviceSignatures(tx, device.userId, [device.deviceId]);
  await noteDeviceListChange(tx, context, device.userId);
}

function requireOwnKeys({ userId, deviceId }: DeviceName, keys: DeviceKeys): void {
  const mismatch = (field: string, whose: string) =>
    badJson(`Provided \`${field}\` in \`device_keys\` does not match that of the authenticated ${whose}`);
  if (keys.user_id !== userId) throw mismatch('user_id', 'user');
  if (keys.device_id !== deviceId) throw mismatch('device_id', 'user device');
  if (Buffer.byteLength(JSON.stringify(keys)) > maximumDeviceKeyBytes) {
    throw new MatrixError(413, 'M_TOO_LARGE', 'Device keys are too large (max 64 KiB)');
  }
}

/** Reads keys by their names, `<algorithm>:<key id>`. */
function namedKeys(keys: KeysByName, field: string): NamedKey[] {
  return Object.keys(keys).map((name) => {
    const [algorithm, keyId, ...rest] = name.split(':');
    const key = keys[name];
    if (!algorithm || !keyId || rest.length > 0 || Buffer.byteLength(name) > maximumNameBytes) {
      throw badJson(`Invalid ${field} key '${name.slice(0, 100)}'. Expected "<algorithm>:<key_id>".`);
    }
    if (key === undefined || Buffer.byteLength(JSON.stringify(key)) > maximumKeyBytes) {
      throw new MatrixError(413, 'M_TOO_LARGE', `Key ${name} is too long`);
    }
    return { algorithm, keyId, key };
  });
}

async function addOneTimeKeys(tx: Tx, device: DeviceName, keys: NamedKey[], now: number): Promise<void> {
  if (keys.length === 0) return;
  const ids = keys.map(({ keyId }) => keyId);
  const present = new Map((await findOneTimeKeys(tx, device, ids)).map((key) => [nameOf(key), key]));
  const added = keys.filter((key) => {
    const old = present.get(nameOf(key));
    if (!old) return true;
    if (isSameKey(old.key, key.key)) return false;
    throw unknownError(`One time key ${nameOf(key)} already exists with other content`);
  });
  const { oneTimeKeys } = await readKeyCounts(tx, device);
  const total = Object.values(oneTimeKeys).reduce((sum, count) => sum + count, added.length);
  if (total > maximumOneTimeKeys) {
    throw invalidParameter(`A device can have at most ${maximumOneTimeKeys} one-time keys`);
  }
  await insertOneTimeKeys(tx, device, added, now);
}

const nameOf = ({ algorithm, keyId }: NamedKey) => `${algorithm}:${keyId}`;

/** Compares keys without signatures, which may differ. */
function isSameKey(one: NamedKey['key'], other: NamedKey['key']): boolean {
  const unsigned = (key: NamedKey['key']) =>
    typeof key === 'string' ? key : { ...key, signatures: undefined };
  return isDeepStrictEqual(unsigned(one), unsigned(other));
}

const unknownDevice = () => invalidParameter('To upload keys, you must pass device_id when authenticating');
