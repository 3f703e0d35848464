import { sendToDevice } from '../../shared/api/to-device.ts';
import { userOrGuest } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { sendToDevices, type ToDeviceContext } from './to-device.ts';

export const toDeviceRoutes: Routes<ToDeviceContext> = (app, context) => {
  app.put(
    '/sendToDevice/:eventType/:transactionId',
    { schema: sendToDevice, config: { policy: userOrGuest } },
    async ({ params, body, requester }) => {
      const { eventType: type, transactionId } = params;
      await sendToDevices(context, requester, { type, transactionId, messages: body.messages });
      return {};
    },
  );
};
