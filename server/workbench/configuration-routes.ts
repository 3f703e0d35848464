import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkConfiguration, getConfiguration, getDialects } from '../../shared/workbench/configuration.ts';
import type { Config } from '../config/config.ts';
import { SettingsSchema } from '../config/settings.ts';
import type { Clock } from '../core/clock.ts';
import { goneSignal } from '../http/gone-signal.ts';
import type { Routes } from '../http/routes.ts';
import { atWorkbench } from './policy.ts';

export const configurationRoutes: Routes<{ config: Config; clock: Clock }> = (app, { config, clock }) => {
  const policy = atWorkbench(config);
  const { dataDir, file } = config;

  app.get('/dialects', { schema: getDialects, config: { policy } }, () => ({
    dialects: [...config.apiDialects],
  }));

  app.get('/configuration', { schema: getConfiguration, config: { policy } }, async () => ({
    path: file ?? null,
    text: file === undefined ? '' : await readFile(file, 'utf8'),
    schema: { ...SettingsSchema },
  }));

  app.post(
    '/configuration/check',
    { schema: checkConfiguration, config: { policy } },
    async ({ body }, reply) => {
      const { checkConfigurationText } = await import('./check-configuration.ts');
      const checked = { text: body.text, file: file ?? join(dataDir, 'homeserver.yaml'), dataDir };
      return { problems: await checkConfigurationText(checked, clock, goneSignal(reply)) };
    },
  );
};
