import {
  listQuarantineChanges as listChangesSchema,
  protectMedia,
  quarantineChangesPerPage,
  quarantineRoomMedia as quarantineRoomSchema,
  quarantineMedia as quarantineSchema,
  quarantineUserMedia as quarantineUserSchema,
} from '../../../shared/api/media-administration.ts';
import type { Config } from '../../platform/config/config.ts';
import { notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { isMediaId } from './media-address.ts';
import { quarantineMedia, quarantineRoomMedia, quarantineUserMedia, releaseMedia } from './quarantine.ts';
import { listQuarantineChanges, setProtected } from './quarantine-store.ts';

export const mediaQuarantineRoutes: Routes<{ db: Database; config: Config }> = (app, context) => {
  const { db, config } = context;
  const isLocal = ({ server_name, media_id }: { server_name: string; media_id: string }) =>
    server_name === config.serverName && isMediaId(media_id);

  app.post(
    '/v1/media/quarantine/:server_name/:media_id',
    { schema: quarantineSchema, config: { policy: administrator } },
    async ({ params, requester }) => {
      if (isLocal(params)) await quarantineMedia(db, [params.media_id], requester.userId);
      return {};
    },
  );

  app.post(
    '/v1/media/unquarantine/:server_name/:media_id',
    { schema: quarantineSchema, config: { policy: administrator } },
    async ({ params }) => {
      if (isLocal(params)) await releaseMedia(db, params.media_id);
      return {};
    },
  );

  for (const path of ['/v1/room/:room_id/media/quarantine', '/v1/quarantine_media/:room_id']) {
    app.post(
      path,
      { schema: quarantineRoomSchema, config: { policy: administrator } },
      async ({ params, requester }) => ({
        num_quarantined: await quarantineRoomMedia(db, params.room_id, config.serverName, requester.userId),
      }),
    );
  }

  app.post(
    '/v1/user/:user_id/media/quarantine',
    { schema: quarantineUserSchema, config: { policy: administrator } },
    async ({ params, requester }) => ({
      num_quarantined: await quarantineUserMedia(db, params.user_id, requester.userId),
    }),
  );

  for (const [path, isProtected] of [
    ['/v1/media/protect/:media_id', true],
    ['/v1/media/unprotect/:media_id', false],
  ] as const) {
    app.post(path, { schema: protectMedia, config: { policy: administrator } }, async ({ params }) => {
      const exists = isMediaId(params.media_id) && (await setProtected(db, params.media_id, isProtected));
      if (!exists) throw notFound('Unknown media');
      return {};
    });
  }

  app.get(
    '/v1/media/quarantine_changes',
    { schema: listChangesSchema, config: { policy: administrator } },
    async ({ query }) => {
      const changes = await listQuarantineChanges(db, query.from, quarantineChangesPerPage);
      return {
        next_batch: changes.at(-1)?.id ?? query.from,
        changes: changes.map(({ mediaId, quarantined }) => ({
          origin: config.serverName,
          media_id: mediaId,
          quarantined,
        })),
      };
    },
  );
};
