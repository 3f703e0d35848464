import {
  deleteUserDevice,
  deleteUserDevices,
  getUserDevice,
  listUserDevices,
  putUserDevice,
} from '../../../shared/api/devices.ts';
import type { Config } from '../../platform/config/config.ts';
import { notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { EndingContext } from '../accounts/endings.ts';
import { requireOwnUserId } from '../accounts/user-administration.ts';
import { findUser } from '../accounts/user-store.ts';
import { changeDeviceName, deviceAsReply } from '../login/device-request.ts';
import { findDevice, listDevices } from './device-store.ts';
import type { LastSeen } from './last-seen.ts';
import { removeDevices } from './sessions.ts';

type Context = EndingContext & { db: Database; config: Config; lastSeen: LastSeen };

/** Devices for administrators. */
export const deviceAdministrationRoutes: Routes<Context> = (app, context) => {
  const { db, config, lastSeen } = context;
  const devices = '/v2/users/:user_id/devices';
  const device = '/v2/users/:user_id/devices/:device_id';

  /** @throws MatrixError 400 for a remote user, 404 for an unknown one */
  async function requireUser(text: string): Promise<string> {
    const userId = requireOwnUserId(text, config.serverName, 'Can only look up local users');
    if (!(await findUser(db, userId))) throw notFound('Unknown user');
    return userId;
  }

  app.get(devices, { schema: listUserDevices, config: { policy: administrator } }, async ({ params }) => {
    const userId = await requireUser(params.user_id);
    await lastSeen.settle();
    const found = await listDevices(db, userId);
    return { devices: found.map((each) => deviceAsReply(userId, each)), total: found.length };
  });

  app.get(device, { schema: getUserDevice, config: { policy: administrator } }, async ({ params }) => {
    const userId = await requireUser(params.user_id);
    await lastSeen.settle();
    const found = await findDevice(db, userId, params.device_id);
    if (!found) throw notFound('Not found');
    return deviceAsReply(userId, found);
  });

  app.put(device, { schema: putUserDevice, config: { policy: administrator } }, async ({ params, body }) => {
    await changeDeviceName(db, await requireUser(params.user_id), params.device_id, body);
    return {};
  });

  // With external authentication, sessions end at the external service.
  if (config.externalAuthentication) return;

  app.delete(device, { schema: deleteUserDevice, config: { policy: administrator } }, async ({ params }) => {
    await removeDevices(context, await requireUser(params.user_id), [params.device_id]);
    return {};
  });

  app.post(
    '/v2/users/:user_id/delete_devices',
    { schema: deleteUserDevices, config: { policy: administrator } },
    async ({ params, body }) => {
      await removeDevices(context, await requireUser(params.user_id), body.devices);
      return {};
    },
  );
};
