import { getMediaConfig } from '../../shared/api/media.ts';
import type { Config } from '../config/config.ts';
import { user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';

type Context = { config: Config };

/** How large an upload may be, under …/client/v1. */
export const mediaConfigRoutes: Routes<Context> = (app, { config }) => {
  app.get('/media/config', { schema: getMediaConfig, config: { policy: user } }, () => asReply(config));
};

/** The same under …/media, where older clients ask. */
export const legacyMediaConfigRoutes: Routes<Context> = (app, { config }) => {
  app.get('/config', { schema: getMediaConfig, config: { policy: user } }, () => asReply(config));
};

const asReply = ({ maxUploadSize }: Config) => ({ 'm.upload.size': maxUploadSize });
