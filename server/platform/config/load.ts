/** From `homeserver.yaml` and the command line to the configuration that the server runs with. */
import { dirname, resolve } from 'node:path';
import { type Config, type Settings, sections, withDefaults } from './config.ts';
import { ConfigurationError, type Refuse, refuseAtOnce } from './configuration-error.ts';
import { onPort } from './listeners.ts';
import type { AnySection, Place } from './section.ts';

/** What the command line says; it goes before the file. */
export type ConfigSource = {
  /** Path of `homeserver.yaml`; without it every setting has its default. */
  file?: string | undefined;
  /** What is read instead of what stands in the file. */
  text?: string | undefined;
  dataDir: string;
  port?: number | undefined;
  console?: boolean | undefined;
};

/**
 * Reads and checks the configuration.
 *
 * @param refuse gets what is wrong with it: a configuration with which something is, is none to run with
 * @throws ConfigurationError that names the setting and the way out, and quotes no value
 */
export async function loadConfig(source: ConfigSource, refuse: Refuse = refuseAtOnce): Promise<Config> {
  const { settings, warnings } = await settingsOf(source, refuse);
  const dataDir = resolve(source.dataDir);
  const file = source.file === undefined ? undefined : resolve(source.file);
  const place: Place = {
    dataDir,
    serverName: settings.server_name as string,
    configDir: file === undefined ? dataDir : dirname(file),
    warn: (line) => warnings.push(line),
  };
  const config = { dataDir, file, console: source.console ?? true, warnings };
  for (const { read } of sections as readonly AnySection[]) {
    try {
      Object.assign(config, await read(settings, place));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      refuse(error);
    }
  }
  const { listeners } = config as Config;
  return Object.assign(
    config as Config,
    source.port === undefined ? {} : { listeners: onPort(source.port, listeners) },
  );
}

async function settingsOf(
  { file, text }: ConfigSource,
  refuse: Refuse,
): Promise<{ settings: Settings; warnings: string[] }> {
  if (file === undefined) return { settings: withDefaults({}), warnings: [] };
  // Loaded where there is a file to read: it brings a parser and all that releases have changed.
  const { readSettings } = await import('./read-settings.ts');
  return readSettings(file, text, refuse);
}
