import { getUrlPreview } from '../../../shared/api/media.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { App, Routes } from '../../platform/http/routes.ts';
import type { Previews } from './preview.ts';

type Context = { previews: Previews };

/** Each makes the server send requests, and may store an image. */
const previewing: UserPolicy = {
  ...user,
  limits: [{ of: 'mediaCreation', by: 'user' }],
  concurrency: { name: 'previews', perUser: 3, refusal: 'Too many concurrent previews' },
};

/** Under …/client/v1. */
export const previewRoutes: Routes<Context> = (app, context) =>
  servePreviews(app, context, '/media/preview_url');

/** The same under …/media, for older clients. */
export const legacyPreviewRoutes: Routes<Context> = (app, context) =>
  servePreviews(app, context, '/preview_url');

function servePreviews(app: App, { previews }: Context, path: string): void {
  app.get(path, { schema: getUrlPreview, config: { policy: previewing } }, ({ query, requester }) =>
    previews.find(requester.userId, query.url),
  );
}
