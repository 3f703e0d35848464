/** Devices in requests and responses. */
import type { Device as DeviceReply } from '../../../shared/api/devices.ts';
import { invalidParameter, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Device, findDevice, renameDevice } from '../sessions/device-store.ts';

type DeviceRequest = {
  device_id?: string | undefined;
  initial_device_display_name?: string | undefined;
  refresh_token?: boolean | undefined;
};

/** The device of a new session; missing properties are generated. */
export type DeviceOptions = {
  deviceId?: string | undefined;
  displayName?: string | undefined;
  /** Whether the session's tokens expire soon and are refreshed. */
  refreshable?: boolean;
};

/** In bytes of UTF-8: device IDs are in indexes. */
const maxDeviceIdLength = 512;
/** In characters, as in Synapse. */
const maxNameLength = 100;

/**
 * Validates the device of a login or registration. Call before creating or redeeming anything.
 *
 * @throws MatrixError 400 `M_INVALID_PARAM`, `M_TOO_LARGE`
 */
export function requireDevice({
  device_id: deviceId,
  initial_device_display_name: displayName,
  refresh_token: refreshable = false,
}: DeviceRequest): DeviceOptions {
  if (deviceId !== undefined && Buffer.byteLength(deviceId) > maxDeviceIdLength) {
    throw invalidParameter(`device_id cannot be longer than ${maxDeviceIdLength} bytes`);
  }
  if (displayName !== undefined) requireDeviceName(displayName);
  return { deviceId, displayName, refreshable };
}

/** @throws MatrixError 400 `M_TOO_LARGE` */
function requireDeviceName(name: string): void {
  if (name.length > maxNameLength) {
    throw new MatrixError(400, 'M_TOO_LARGE', `Device display name is too long (max ${maxNameLength})`);
  }
}

export const deviceAsReply = (userId: string, device: Device): DeviceReply => ({
  user_id: userId,
  device_id: device.deviceId,
  display_name: device.displayName,
  last_seen_ts: device.lastSeenTs,
  last_seen_ip: device.lastSeenIp,
});

/** Renames a device. Some clients send null instead of omitting the name. @throws MatrixError 400, 404 */
export async function changeDeviceName(
  db: Database,
  userId: string,
  deviceId: string,
  { display_name: name }: { display_name?: string | null | undefined },
): Promise<void> {
  if (typeof name === 'string') requireDeviceName(name);
  const known =
    typeof name === 'string'
      ? await renameDevice(db, userId, deviceId, name)
      : await findDevice(db, userId, deviceId);
  if (!known) throw notFound('Not found');
}
