import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkConfiguration,
  getConfiguration,
  getDialects,
} from '../../../shared/workbench/configuration.ts';
import type { LocalHost } from '../../../shared/workbench/host.ts';
import { type Config, SettingsSchema } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { goneSignal } from '../../platform/http/send-json.ts';
import { atWorkbench } from './policy.ts';

type Context = {
  config: Config;
  clock: Clock;
  /** Undefined where nothing can start this server again. */
  host: LocalHost | undefined;
};

export const configurationRoutes: Routes<Context> = (app, { config, clock, host }) => {
  const policy = atWorkbench(config);
  const { dataDir, file } = config;

  app.get('/dialects', { schema: getDialects, config: { policy } }, () => ({
    dialects: [...config.apiDialects],
  }));

  app.get('/configuration', { schema: getConfiguration, config: { policy } }, async () => {
    // What its next start reads may have come, or gone, since this one.
    const place = file ?? host?.state().configuration_path;
    const text = place === undefined ? undefined : await textOf(place);
    const path = (text === undefined ? file : place) ?? null;
    return { path, text: text ?? '', schema: { ...SettingsSchema } };
  });

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

const textOf = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
