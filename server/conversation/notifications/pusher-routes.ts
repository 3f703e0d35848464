import { getPushers, setPusher } from '../../../shared/api/notifications.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { missingParameter } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { deletePusher, listPushers } from './pusher-store.ts';
import { addPusher } from './pushers.ts';

const changes: UserPolicy = { ...user, limits: [{ of: 'accountData', by: 'user' }] };

export const pusherRoutes: Routes<{ db: Database; clock: Clock }> = (app, context) => {
  const { db } = context;

  app.get('/pushers', { schema: getPushers, config: { policy: user } }, async ({ requester }) => ({
    pushers: (await listPushers(db, requester.userId)).map(({ appId, pushkey, content }) => ({
      app_id: appId,
      pushkey,
      kind: 'http',
      app_display_name: content.appDisplayName,
      device_display_name: content.deviceDisplayName,
      profile_tag: content.profileTag,
      lang: content.lang,
      data: content.data,
    })),
  }));

  app.post(
    '/pushers/set',
    { schema: setPusher, config: { policy: changes } },
    async ({ body, requester }) => {
      const { app_id: appId, pushkey } = body;
      if (body.kind === null) {
        await deletePusher(db, { userId: requester.userId, appId, pushkey });
        return {};
      }
      const { app_display_name, device_display_name, lang, data } = body;
      if (app_display_name === undefined) throw missing('app_display_name');
      if (device_display_name === undefined) throw missing('device_display_name');
      if (lang === undefined) throw missing('lang');
      if (data === undefined) throw missing('data');
      await addPusher(context, requester, {
        appId,
        pushkey,
        append: body.append ?? false,
        content: {
          appDisplayName: app_display_name,
          deviceDisplayName: device_display_name,
          profileTag: body.profile_tag ?? '',
          lang,
          data,
        },
      });
      return {};
    },
  );
};

const missing = (name: string) => missingParameter(`Missing params: ['${name}']`);
