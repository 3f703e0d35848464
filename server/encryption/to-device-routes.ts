import { sendToDevice } from '../../shared/api/to-device.ts';
import { type UserPolicy, userOrGuest } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { sendToDevices, type ToDeviceContext } from './to-device.ts';

/** Whoever asks too many for keys isn't told, so it is the handler that counts. */
const policy: UserPolicy = { ...userOrGuest, limits: [{ of: 'keyRequests', by: 'in the handler' }] };

export const toDeviceRoutes: Routes<ToDeviceContext> = (app, context) => {
  app.put(
    '/sendToDevice/:eventType/:transactionId',
    { schema: sendToDevice, config: { policy } },
    async ({ params, body, requester, limiter }) => {
      const { eventType: type, transactionId } = params;
      const sending = { type, transactionId, messages: body.messages };
      await sendToDevices(context, requester, sending, limiter('keyRequests'));
      return {};
    },
  );
};
