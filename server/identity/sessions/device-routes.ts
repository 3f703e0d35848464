import {
  deleteDevice,
  deleteDevices,
  getDevice,
  listDevices as listDevicesSchema,
  putDevice,
} from '../../../shared/api/devices.ts';
import { notFound, unrecognized } from '../../platform/core/matrix-error.ts';
import { userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { confirmPassword, type PasswordContext, withPassword } from '../accounts/confirm-password.ts';
import type { EndingContext } from '../accounts/endings.ts';
import { changeDeviceName, deviceAsReply } from '../login/device-request.ts';
import { findDevice, listDevices } from './device-store.ts';
import type { LastSeen } from './last-seen.ts';
import { createDevice, removeDevices } from './sessions.ts';

export const deviceRoutes: Routes<PasswordContext & EndingContext & { lastSeen: LastSeen }> = (
  app,
  context,
) => {
  const { db, config, lastSeen } = context;

  const remove = async (userId: string, deviceIds: string[]) => {
    await removeDevices(context, userId, deviceIds);
    return {};
  };
  // With external authentication, sessions end at the external service.
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
    async ({ params: { deviceId }, body, requester: { userId, appServiceId } }, reply) => {
      const isNew = appServiceId !== undefined && (await createDevice(context, userId, deviceId, body));
      if (isNew) return reply.status(201).send({});
      await changeDeviceName(db, userId, deviceId, body);
      return {};
    },
  );

  app.delete(
    '/devices/:deviceId',
    { schema: deleteDevice, config: { policy: withPassword } },
    ({ params: { deviceId }, body, requester: { userId, appServiceId }, limiter }) => {
      // Users of application services have no password.
      if (appServiceId !== undefined) return remove(userId, [deviceId]);
      requireOwnSessions();
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
    ({ body, requester: { userId, appServiceId }, limiter }) => {
      if (appServiceId !== undefined) return remove(userId, body.devices);
      requireOwnSessions();
      const request = { userId, operation: 'POST /delete_devices', body };
      return confirmPassword(context, limiter, request, () => remove(userId, body.devices));
    },
  );
};
