import { deleteUserMedia, listUserMedia } from '../../shared/api/user-media.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { MediaAccess } from './media-access.ts';
import { asMediaItem } from './media-administration-routes.ts';
import type { MediaContext } from './upload.ts';
import * as userMedia from './user-media.ts';

/** Interface: "Other endpoints that are referenced", "DELETE …/users/{userId}/media". */
export const userMediaRoutes: Routes<MediaContext & { mediaAccess: MediaAccess }> = (app, context) => {
  app.get(
    '/v1/users/:user_id/media',
    { schema: listUserMedia, config: { policy: administrator } },
    async ({ params, query }) => {
      await context.mediaAccess.settle();
      const { media, total } = await userMedia.readUserMedia(context, params.user_id, query);
      const next = query.from + media.length;
      return { media: media.map(asMediaItem), total, ...(next < total && { next_token: next }) };
    },
  );

  app.delete(
    '/v1/users/:user_id/media',
    { schema: deleteUserMedia, config: { policy: administrator } },
    async ({ params, query }) => {
      await context.mediaAccess.settle();
      const deleted = await userMedia.deleteUserMedia(context, params.user_id, query);
      return { deleted_media: deleted, total: deleted.length };
    },
  );
};
