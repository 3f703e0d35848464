/** Loads the server's configuration from `homeserver.yaml` and the command line. */
import { dirname, resolve } from 'node:path';
import { type Config, type Settings, sections, withDefaults } from './config.ts';
import { ConfigurationError, type Refuse, refuseAtOnce } from './configuration-error.ts';
import { onPort } from './listeners.ts';
import type { AnySection, SectionContext } from './section.ts';

/** Values from the command line, which take precedence over the file's. */
export type ConfigSource = {
  /** Path of `homeserver.yaml`; all settings have their defaults if undefined. */
  file?: string | undefined;
  /** Content to use instead of the file's. */
  text?: string | undefined;
  dataDir: string;
  port?: number | undefined;
  console?: boolean | undefined;
  /** Adds settings to those of the file, before defaults are added. */
  complete?: ((written: Settings) => Settings) | undefined;
};

/**
 * Reads and validates the configuration.
 *
 * @param refuse receives each error. A configuration with errors must not be used.
 * @throws ConfigurationError that names the setting and the fix, without quoting values
 */
export async function loadConfig(source: ConfigSource, refuse: Refuse = refuseAtOnce): Promise<Config> {
  const { settings, warnings } = await settingsOf(source, refuse);
  const dataDir = resolve(source.dataDir);
  const file = source.file === undefined ? undefined : resolve(source.file);
  const context: SectionContext = {
    dataDir,
    serverName: settings.server_name as string,
    configDir: file === undefined ? dataDir : dirname(file),
    warn: (line) => warnings.push(line),
  };
  const config = { dataDir, file, console: source.console ?? true, warnings };
  for (const { read } of sections as readonly AnySection[]) {
    try {
      Object.assign(config, await read(settings, context));
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
  { file, text, complete = (written) => written }: ConfigSource,
  refuse: Refuse,
): Promise<{ settings: Settings; warnings: string[] }> {
  if (file === undefined) return { settings: withDefaults(complete({})), warnings: [] };
  // Imported here because it loads the YAML parser and the upgrade notes.
  const { readSettings } = await import('./read-settings.ts');
  return readSettings(file, text, refuse, complete);
}
