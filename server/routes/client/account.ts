import { getWhoAmI } from '../../../shared/api/login.ts';
import type { Routes } from '../../http/routes.ts';

export const accountRoutes: Routes = (app) => {
  app.get('/account/whoami', { schema: getWhoAmI }, ({ requester }) => ({
    user_id: requester.userId,
    is_guest: false,
    ...(requester.deviceId === null ? {} : { device_id: requester.deviceId }),
  }));
};
