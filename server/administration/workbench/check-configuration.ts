/** Finds the errors and warnings that the server would report at startup, with their positions in the text. */
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { ConfigurationProblem } from '../../../shared/workbench/configuration.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { loadConfig } from '../../platform/config/load.ts';

/** In characters. YAML can be written to take seconds to parse, which block all other requests. */
const maxLength = 256 * 1024;

/** `file` is where the text is or will be saved: relative paths in it are relative to its folder. */
type ConfigurationToCheck = { text: string; file: string; dataDir: string };

/** Checks a configuration. Opens only the files that it names, and writes none. */
export async function checkConfigurationText({
  text,
  file,
  dataDir,
}: ConfigurationToCheck): Promise<ConfigurationProblem[]> {
  if (text.length > maxLength) return [tooLong];
  const locate = locatorIn(text);
  const errors: ConfigurationError[] = [];
  let warnings: string[] = [];
  try {
    ({ warnings } = await loadConfig({ file, text, dataDir }, (error) => errors.push(error)));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    errors.push(error);
  }
  const asError = ({ setting, sentence }: ConfigurationError): ConfigurationProblem => {
    const severity = 'error';
    const [, line] = /, line (\d+)/.exec(setting) ?? [];
    if (line !== undefined) return { severity, setting: '', sentence, line: Number(line), column: 1 };
    return { severity, setting: setting === file ? '' : setting, sentence, ...locate(setting) };
  };
  const asWarning = (warning: string): ConfigurationProblem => {
    const [, setting = '', sentence = warning] = /^([^:\s]+): (.*)$/s.exec(warning) ?? [];
    return { severity: 'warning', setting, sentence, ...locate(setting) };
  };
  // A removed setting is often an invalid one as well: one problem for each is enough.
  const reported = new Set<string>();
  const first = errors.filter(({ setting }) => !reported.has(setting) && reported.add(setting));
  const others = warnings.map(asWarning).filter(({ setting }) => setting === '' || !reported.has(setting));
  return [...first.map(asError), ...others].sort((one, other) => one.line - other.line);
}

const tooLong: ConfigurationProblem = {
  severity: 'error',
  line: 1,
  column: 1,
  setting: '',
  sentence: 'the file is larger than 256 KB; shorten it',
};

/** Returns a function that finds the position of a setting, or of the mapping that lacks it. */
function locatorIn(text: string): (setting: string) => { line: number; column: number } {
  const lines = new LineCounter();
  // Parsed on demand: most texts have no problems.
  let document: Document | undefined;
  const known = new Map<YAMLMap, Map<string, Part>>();
  const index = (map: YAMLMap) => {
    const parts = known.get(map) ?? partsOf(map);
    known.set(map, parts);
    return parts;
  };
  return (setting) => {
    document ??= parseDocument(text, {
      lineCounter: lines,
      // Slow, and loadConfig finds repeated names.
      uniqueKeys: false,
      // Would scan the text again for each error.
      prettyErrors: false,
    });
    let node: unknown = document.contents;
    let at = 0;
    for (const part of setting.split(/[.[\]]/).filter(Boolean)) {
      const next = partOf(node, part, index);
      if (!next) break;
      ({ at, node } = next);
    }
    const { line, col } = lines.linePos(at);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
}

type Part = { at: number; node: unknown };

function partOf(node: unknown, part: string, index: (map: YAMLMap) => Map<string, Part>): Part | undefined {
  if (isMap(node)) return index(node).get(part);
  if (!isCollection(node)) return undefined;
  const item = node.items[Number(part)];
  return item === undefined ? undefined : { at: startOf(item), node: item };
}

/** An index, so that many look-ups scan the map once. */
function partsOf({ items }: YAMLMap): Map<string, Part> {
  const parts = items.flatMap(({ key, value }) =>
    isScalar(key) ? [[String(key.value), { at: startOf(key), node: value }] as const] : [],
  );
  // The first of two with the same name wins.
  return new Map(parts.reverse());
}

const startOf = (node: unknown) => (node as Node | undefined)?.range?.[0] ?? 0;
