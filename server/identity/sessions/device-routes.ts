import {
  deleteDevice,
  deleteDevices,
  deleteUserDevice,
  deleteUserDevices,
  getDevice,
  getUserDevice,
  listDevices as listDevicesSchema,
  listUserDevices,
  putDevice,
  putUserDevice,
} from '../../../shared/api/devices.ts';
import type { Config } from '../../platform/config/config.ts';
import { notFound, unrecognized } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator, userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { confirmPassword, type PasswordContext, withPassword } from '../accounts/confirm-password.ts';
import { requireLocalUser } from '../accounts/user-administration.ts';
import { changeDeviceName, deviceAsReply } from '../login/device-request.ts';
import { findDevice, listDevices } from './device-store.ts';
import type { LastSeen } from './last-seen.ts';
import type { DeviceDeletionContext } from './sessions.ts';
import { createDevice, removeDevices } from './sessions.ts';

export const deviceRoutes: Routes<PasswordContext & DeviceDeletionContext & { lastSeen: LastSeen }> = (
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
      const request = { userId, operation: `DELETE /devices/${deviceId}`, body };
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

type AdministrationContext = DeviceDeletionContext & { db: Database; config: Config; lastSeen: LastSeen };

/** Devices for administrators. */
export const deviceAdministrationRoutes: Routes<AdministrationContext> = (app, context) => {
  const { db, config, lastSeen } = context;
  const devices = '/v2/users/:user_id/devices';
  const device = '/v2/users/:user_id/devices/:device_id';

  app.get(devices, { schema: listUserDevices, config: { policy: administrator } }, async ({ params }) => {
    const userId = await requireLocalUser(context, params.user_id);
    await lastSeen.settle();
    const found = await listDevices(db, userId);
    return { devices: found.map((each) => deviceAsReply(userId, each)), total: found.length };
  });

  app.get(device, { schema: getUserDevice, config: { policy: administrator } }, async ({ params }) => {
    const userId = await requireLocalUser(context, params.user_id);
    await lastSeen.settle();
    const found = await findDevice(db, userId, params.device_id);
    if (!found) throw notFound('Not found');
    return deviceAsReply(userId, found);
  });

  app.put(device, { schema: putUserDevice, config: { policy: administrator } }, async ({ params, body }) => {
    await changeDeviceName(db, await requireLocalUser(context, params.user_id), params.device_id, body);
    return {};
  });

  // With external authentication, sessions end at the external service.
  if (config.externalAuthentication) return;

  app.delete(device, { schema: deleteUserDevice, config: { policy: administrator } }, async ({ params }) => {
    await removeDevices(context, await requireLocalUser(context, params.user_id), [params.device_id]);
    return {};
  });

  app.post(
    '/v2/users/:user_id/delete_devices',
    { schema: deleteUserDevices, config: { policy: administrator } },
    async ({ params, body }) => {
      await removeDevices(context, await requireLocalUser(context, params.user_id), body.devices);
      return {};
    },
  );
};
