/** On which device a session is opened, as logins and registrations say. */
import { invalidParameter, MatrixError } from '../core/matrix-error.ts';

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
