/** Reads and validates the settings in `homeserver.yaml`. */
import { dirname, resolve } from 'node:path';
import { isCollection, isNode, isPair, isScalar, isSeq, type Node, visit } from 'yaml';
import { dialects } from '../../../shared/dialect.ts';
import { inEnglish } from '../../../shared/sentence.ts';
import { type ConfigurationFile, ConfigurationFileError } from '../../../shared/upgrade/configuration.ts';
import { findOutdated } from '../../../shared/upgrade/findings.ts';
import { readConfiguration } from '../../../shared/upgrade/read-configuration.ts';
import { repeatedNames } from '../../../shared/upgrade/repeated-names.ts';
import { parseVersion } from '../../../shared/upgrade/version.ts';
import { serverVersion } from '../core/version.ts';
import { refuseFaults, warningsFor } from './check-settings.ts';
import { type Settings, SettingsSchema, withDefaults } from './config.ts';
import { ConfigurationError, printable, type Refuse } from './configuration-error.ts';
import { readFileOrPipe, readRegularFile } from './named-file.ts';

/**
 * Reads and validates a configuration file.
 *
 * @param text content to use instead of the file's
 * @param refuse receives errors in settings, which then have their defaults
 * @param complete adds settings to the file's
 * @returns the settings with their defaults, and warnings for the administrator
 * @throws ConfigurationError if the file can't be read, without quoting values
 */
export async function readSettings(
  path: string,
  text: string | undefined,
  refuse: Refuse,
  complete: (written: Settings) => Settings,
): Promise<{ settings: Settings; warnings: string[] }> {
  const file = parse(path, text ?? (await read(path)));
  refuseAmbiguity(file);
  const written = valuesOf(file);
  const settings = validated(complete(written), refuse);
  const outdated = refuseRemoved([file, ...(await loggingFile(settings, path))], refuse);
  return { settings, warnings: [...outdated, ...warningsFor(written)] };
}

/** Returns the valid settings, and the defaults of the others. A validation finds only some of the errors. */
function validated(written: Settings, refuse: Refuse): Settings {
  const settings = withDefaults(written);
  const faulty = refuseFaults(SettingsSchema, settings, refuse);
  if (faulty.size === 0) return settings;
  return validated(Object.fromEntries(Object.entries(written).filter(([name]) => !faulty.has(name))), refuse);
}

async function read(path: string, readFile = readFileOrPipe): Promise<string> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      path,
      error.code === 'EFBIG' ? 'the file is larger than 1 MB' : `can't read the file (${error.code})`,
      'check the path given with --config',
    );
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new ConfigurationError(path, 'not UTF-8 text', 'check the path given with --config');
  }
}

function parse(path: string, text: string): ConfigurationFile {
  try {
    return readConfiguration(path, text);
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    throw new ConfigurationError(error.place, inEnglish(error.problem), 'correct it');
  }
}

/** Refuses valid YAML that has no clear meaning: duplicate keys, recursive aliases, unknown tags. */
function refuseAmbiguity({ name: file, document, lines }: ConfigurationFile): void {
  const lineOf = ({ range }: Node) => `${file}, line ${lines.linePos(range?.[0] ?? 0).line}`;
  const knownTags = new Set(document.schema?.tags.map(({ tag }) => tag));
  visit(document, {
    // The tag isn't quoted: it may be a password that begins with an exclamation mark.
    Value(_, node, path) {
      if (node.tag === undefined || knownTags.has(node.tag)) return;
      throw new ConfigurationError(
        settingAt([...path, node]) || lineOf(node),
        "YAML tags such as !include aren't supported",
        'write the value in this file, in quotes if it starts with !',
      );
    },
    Alias(_, alias, path) {
      if (!path.some((node) => isCollection(node) && node.anchor === alias.source)) return;
      throw new ConfigurationError(lineOf(alias), 'alias refers to itself', 'write out the value');
    },
  });
  const repeated = repeatedNames(document)[0]?.repeated;
  if (!repeated) return;
  throw new ConfigurationError(lineOf(repeated), `duplicate setting ${repeated.value}`, 'remove one of them');
}

/** Returns a path as `listeners.0.port`; empty for the whole document. */
function settingAt(path: readonly unknown[]): string {
  const names = path.flatMap((part, index): unknown[] => {
    if (isPair(part)) return [isScalar(part.key) ? part.key.value : '?'];
    const list = path[index - 1];
    return isSeq(list) && isNode(part) ? [list.items.indexOf(part)] : [];
  });
  return names.join('.');
}

/** Above the expanded size of a maximum-size file without aliases. */
const maximumValues = 1_000_000;
/** Above the parser's own limit of levels. */
const maximumDepth = 1_000;

function valuesOf({ name: file, document }: ConfigurationFile): Settings {
  try {
    const values = document.toJS() ?? {};
    let left = maximumValues;
    const count = (value: unknown, depth: number) => {
      if (--left < 0 || depth > maximumDepth) throw new Error('too much');
      if (typeof value !== 'object' || value === null) return;
      for (const part of Object.values(value)) count(part, depth + 1);
    };
    count(values, 0);
    return values;
  } catch {
    // Nested aliases can expand beyond any memory.
    throw new ConfigurationError(file, 'too many aliases', 'write out their values');
  }
}

/** Reads the file that `log_config` names, which may contain removed settings. */
async function loggingFile({ log_config: name }: Settings, path: string): Promise<ConfigurationFile[]> {
  if (typeof name !== 'string') return [];
  const text = await read(resolve(dirname(path), name), readRegularFile).catch(() => undefined);
  return text === undefined ? [] : [parse(name, text)];
}

/** Refuses settings that a release up to this one removed, and returns warnings for deprecated ones. */
function refuseRemoved(files: ConfigurationFile[], refuse: Refuse): string[] {
  const running = parseVersion(serverVersion);
  const { required } = findOutdated(files, running, running, dialects.vendor);
  return required.flatMap(({ setting, kind, release, instead }) => {
    const fix = `${instead.charAt(0).toLowerCase()}${instead.slice(1)}`.replace(/\.$/, '');
    if (kind === 'removed') {
      refuse(new ConfigurationError(setting, `removed in v${release}`, fix));
      return [];
    }
    return printable(`${setting}: deprecated since v${release}; ${fix}`);
  });
}
