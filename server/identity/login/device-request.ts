/** On which device a session is opened, as logins and registrations say, and what is said of devices. */
import type { Device as DeviceReply } from '../../../shared/api/devices.ts';
import { invalidParameter, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Device, findDevice, renameDevice } from '../sessions/device-store.ts';

type DeviceRequest = {
  device_id?: string | undefined;
  initial_device_display_name?: string | undefined;
  refresh_token?: boolean | undefined;
};

/** What is left out is made up. */
export type WantedDevice = {
  deviceId?: string | undefined;
  displayName?: string | undefined;
  /** Whether the session's tokens expire soon and are refreshed. */
  refreshable?: boolean;
};

/** The longest identifier, in bytes of UTF-8: it stands in indexes. */
const maximumDeviceId = 512;
/** The longest name, in characters, as at the reference homeserver. */
const maximumName = 100;

/**
 * The device that is asked for; refuses one that nobody can have. Ask before anything is made or used up.
 *
 * @throws MatrixError 400 `M_INVALID_PARAM`, `M_TOO_LARGE`
 */
export function requireDevice({
  device_id: deviceId,
  initial_device_display_name: displayName,
  refresh_token: refreshable = false,
}: DeviceRequest): WantedDevice {
  if (deviceId !== undefined && Buffer.byteLength(deviceId) > maximumDeviceId) {
    throw invalidParameter(`device_id cannot be longer than ${maximumDeviceId} bytes`);
  }
  if (displayName !== undefined) requireDeviceName(displayName);
  return { deviceId, displayName, refreshable };
}

/** @throws MatrixError 400 `M_TOO_LARGE` */
export function requireDeviceName(name: string): void {
  if (name.length > maximumName) {
    throw new MatrixError(400, 'M_TOO_LARGE', `Device display name is too long (max ${maximumName})`);
  }
}

export const deviceAsReply = (userId: string, device: Device): DeviceReply => ({
  user_id: userId,
  device_id: device.deviceId,
  display_name: device.displayName,
  last_seen_ts: device.lastSeenTs,
  last_seen_ip: device.lastSeenIp,
});

/** Renames a device; some clients write the name that they leave out as null. @throws MatrixError 400, 404 */
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
