import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkConfiguration,
  getConfiguration,
  getDialects,
} from '../../../shared/workbench/configuration.ts';
import type { LocalHost } from '../../../shared/workbench/host.ts';
import { type Config, SettingsSchema } from '../../platform/config/config.ts';
import { atWorkbench } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';

type Context = {
  config: Config;
  /** Undefined if no program can restart this server. */
  host: LocalHost | undefined;
};

export const configurationRoutes: Routes<Context> = (app, { config, host }) => {
  const policy = atWorkbench(config);
  const { dataDir, file } = config;

  app.get('/dialects', { schema: getDialects, config: { policy } }, () => ({
    dialects: [...config.apiDialects],
  }));

  app.get('/configuration', { schema: getConfiguration, config: { policy } }, async () => {
    // The file may have been created or deleted since the server started.
    const current = file ?? host?.state().configuration_path;
    const text = current === undefined ? undefined : await textOf(current);
    const path = (text === undefined ? file : current) ?? null;
    return { path, text: text ?? '', schema: { ...SettingsSchema } };
  });

  app.post('/configuration/check', { schema: checkConfiguration, config: { policy } }, async ({ body }) => {
    const { checkConfigurationText } = await import('./check-configuration.ts');
    const checked = { text: body.text, file: file ?? join(dataDir, 'homeserver.yaml'), dataDir };
    return { problems: await checkConfigurationText(checked) };
  });
};

const textOf = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
