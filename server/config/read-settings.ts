/** From `homeserver.yaml` to settings that are known to be right. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Value } from 'typebox/value';
import { dialects } from '../../shared/dialect.ts';
import {
  type ConfigurationFile,
  ConfigurationFileError,
  readConfiguration,
} from '../../shared/upgrade/configuration.ts';
import { findOutdated } from '../../shared/upgrade/findings.ts';
import { parseVersion } from '../../shared/upgrade/version.ts';
import { serverVersion } from '../core/version.ts';
import { ConfigurationError } from './configuration-error.ts';
import { refuse } from './refusals.ts';
import { PartialSettings, type Settings } from './settings.ts';
import { warningsFor } from './warnings.ts';

/**
 * Reads and checks a file of settings.
 *
 * @returns the settings, and what the administrator should know of them
 * @throws ConfigurationError that names the setting and the way out, and quotes no value
 */
export async function readSettings(path: string): Promise<{ settings: Settings; warnings: string[] }> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      path,
      `it can't be read (${error.code})`,
      'check the path given with --config',
    );
  });
  const file = parse(path, text);
  const settings: unknown = file.document.toJS() ?? {};
  requireShape(settings, path);
  refuse(settings);
  const outdated = refuseRemoved([file, ...(await loggingFile(settings, path))]);
  return { settings, warnings: [...outdated, ...warningsFor(settings)] };
}

function parse(path: string, text: string): ConfigurationFile {
  try {
    return readConfiguration(path, text);
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    throw new ConfigurationError(error.place, error.problem, 'correct it');
  }
}

function requireShape(settings: unknown, path: string): asserts settings is Settings {
  if (Value.Check(PartialSettings, settings)) return;
  const [problem] = Value.Errors(PartialSettings, settings);
  throw new ConfigurationError(
    problem?.instancePath.slice(1).replaceAll('/', '.') || path,
    `it ${problem?.message ?? 'is not valid'}`,
    'see the README for what it takes',
  );
}

/** The file that `log_config` names: settings that no longer exist may stand in it. */
async function loggingFile({ log_config: name }: Settings, path: string): Promise<ConfigurationFile[]> {
  if (name === undefined) return [];
  const text = await readFile(resolve(dirname(path), name), 'utf8').catch(() => undefined);
  return text === undefined ? [] : [parse(name, text)];
}

/**
 * Refuses what a release up to this one removed, and gives a warning for what one deprecated. Interface:
 * "Changes by release".
 */
function refuseRemoved(files: ConfigurationFile[]): string[] {
  const running = parseVersion(serverVersion);
  const { required } = findOutdated(files, running, running, dialects.vendor);
  return required.map(({ setting, kind, release, instead }) => {
    const wayOut = `${instead.charAt(0).toLowerCase()}${instead.slice(1)}`.replace(/\.$/, '');
    if (kind === 'removed') throw new ConfigurationError(setting, `it was removed in v${release}`, wayOut);
    return `${setting}: outdated since v${release}; ${wayOut}`;
  });
}
