import { workbench } from '../../shared/workbench/paths.ts';
import type { Config } from '../config/config.ts';
import type { Mount } from '../http/routes.ts';
import type { Services } from '../services.ts';
import { jwtRoutes } from './jwt-routes.ts';

/** What testers and developers of clients look into the server with, unless the configuration goes without. */
export const workbenchMounts = (config: Pick<Config, 'workbench'>): Mount<Services>[] =>
  config.workbench === 'nowhere' ? [] : [{ prefix: workbench, routes: [jwtRoutes] }];
