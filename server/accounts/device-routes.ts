import {
  deleteDevice,
  deleteDevices,
  getDevice,
  listDevices as listDevicesSchema,
  putDevice,
} from '../../shared/api/devices.ts';
import { notFound, unrecognized } from '../core/matrix-error.ts';
import { userOrGuest } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { confirmPassword, type PasswordContext, withPassword } from './confirm-password.ts';
import { changeDeviceName, deviceAsReply } from './device-request.ts';
import { findDevice, listDevices } from './device-store.ts';
import type { EndingContext } from './endings.ts';
import type { LastSeen } from './last-seen.ts';
import { removeDevices } from './sessions.ts';

export const deviceRoutes: Routes<PasswordContext & EndingContext & { lastSeen: LastSeen }> = (
  app,
  context,
) => {
  const { db, config, lastSeen } = context;

  const remove = async (userId: string, deviceIds: string[]) => {
    await removeDevices(context, userId, deviceIds);
    return {};
  };
  // Sessions end where they began.
  const requireOwnSessions = () => {
    if (config.externalAuthentication) throw unrecognized();
  };

  app.get(
    '/devices',
    { schema: listDevicesSchema, config: { policy: userOrGuest } },
    async ({ requester: { userId } }) => {
      await lastSeen.settle();
      const devices = await listDevices(db, userId);
      return { devices: devices.map((device) => deviceAsReply(userId, device)) };
    },
  );

  app.get(
    '/devices/:deviceId',
    { schema: getDevice, config: { policy: userOrGuest } },
    async ({ params, requester: { userId } }) => {
      await lastSeen.settle();
      const device = await findDevice(db, userId, params.deviceId);
      if (!device) throw notFound('Not found');
      return deviceAsReply(userId, device);
    },
  );

  app.put(
    '/devices/:deviceId',
    { schema: putDevice, config: { policy: userOrGuest } },
    async ({ params, body, requester: { userId } }) => {
      await changeDeviceName(db, userId, params.deviceId, body);
      return {};
    },
  );

  app.delete(
    '/devices/:deviceId',
    { schema: deleteDevice, config: { policy: withPassword } },
    ({ params, body, requester: { userId }, limiter }) => {
      requireOwnSessions();
      const { deviceId } = params;
      const request = {
        userId,
        operation: `DELETE /devices/${deviceId}`,
        body,
      };
      return confirmPassword(context, limiter, request, () => remove(userId, [deviceId]));
    },
  );

  app.post(
    '/delete_devices',
    { schema: deleteDevices, config: { policy: withPassword } },
    ({ body, requester: { userId }, limiter }) => {
      requireOwnSessions();
      const request = { userId, operation: 'POST /delete_devices', body };
      return confirmPassword(context, limiter, request, () => remove(userId, body.devices));
    },
  );
};
