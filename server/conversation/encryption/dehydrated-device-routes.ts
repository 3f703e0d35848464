import * as schema from '../../../shared/api/encryption-keys.ts';
import { user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import {
  deleteDehydratedDevice,
  putDehydratedDevice,
  readDehydratedEvents,
  requireDehydratedDevice,
} from './dehydrated-devices.ts';
import type { UploadContext } from './upload-keys.ts';

const config = { policy: user };

export const dehydratedDeviceRoutes: Routes<UploadContext> = (app, context) => {
  const { db } = context;
  const path = '/org.matrix.msc3814.v1/dehydrated_device';

  app.put(path, { schema: schema.putDehydratedDevice, config }, async ({ body, requester: { userId } }) => {
    const { device_id, device_data, initial_device_display_name, ...keys } = body;
    await putDehydratedDevice(context, userId, {
      deviceId: device_id,
      data: device_data,
      displayName: initial_device_display_name,
      keys,
    });
    return { device_id };
  });

  app.get(path, { schema: schema.getDehydratedDevice, config }, async ({ requester: { userId } }) => {
    const { deviceId, data } = await requireDehydratedDevice(db, userId);
    return { device_id: deviceId, device_data: data };
  });

  app.delete(path, { schema: schema.deleteDehydratedDevice, config }, async ({ requester: { userId } }) => ({
    device_id: await deleteDehydratedDevice(context, userId),
  }));

  app.get(
    `${path}/:deviceId/events`,
    { schema: schema.getDehydratedEvents, config },
    async ({ params: { deviceId }, query: { from }, requester: { userId } }) => {
      const { events, upTo, isLast } = await readDehydratedEvents(db, userId, { deviceId, from });
      return { events, ...(!isLast && { next_batch: String(upTo) }) };
    },
  );

  app.post(
    `${path}/:deviceId/events`,
    { schema: schema.postDehydratedEvents, config },
    async ({ params: { deviceId }, body, requester: { userId } }) => {
      const from = body?.next_batch;
      const { events, upTo } = await readDehydratedEvents(db, userId, { deviceId, from });
      return { events, next_batch: String(upTo) };
    },
  );
};
