import { getFigures } from '../../shared/workbench/figures.ts';
import type { Config } from '../config/config.ts';
import type { Routes } from '../http/routes.ts';
import type { Figures } from './figures.ts';
import { atWorkbench } from './policy.ts';

export const figuresRoutes: Routes<{ config: Config; figures: Figures }> = (app, { config, figures }) => {
  app.get('/figures', { schema: getFigures, config: { policy: atWorkbench(config) } }, ({ query }) => ({
    points: figures.points(query.after ?? 0),
  }));
};
