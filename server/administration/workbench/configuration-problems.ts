/** What the server would say of a configuration's text at its start, and where in the text that is. */
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

/**
 * Reads a text as the server does; nothing is written or opened but files that it names.
 *
 * @param file where the text stands, or would: relative paths in it are relative to its folder
 */
export async function problemsIn(
  text: string,
  file: string,
  dataDir: string,
): Promise<ConfigurationProblem[]> {
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
  // What was removed is often no value any more, either: the first that is said of a setting is enough.
  const told = new Set<string>();
  const first = errors.filter(({ setting }) => !told.has(setting) && told.add(setting));
  const others = warnings.map(asWarning).filter(({ setting }) => setting === '' || !told.has(setting));
  return [...first.map(asError), ...others].sort((one, other) => one.line - other.line);
}

/** Gives where a setting stands, or what should hold it. */
function locatorIn(text: string): (setting: string) => { line: number; column: number } {
  const lines = new LineCounter();
  // Most texts have nothing in them that has to be found.
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
      // Names that stand there twice are looked for by whoever reads the settings, and slowly.
      uniqueKeys: false,
      // For each of many errors it would go through the text once more.
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

/** The parts of a map by their names: gone through once, however many settings are looked up in it. */
function partsOf({ items }: YAMLMap): Map<string, Part> {
  const parts = items.flatMap(({ key, value }) =>
    isScalar(key) ? [[String(key.value), { at: startOf(key), node: value }] as const] : [],
  );
  // Of a name that stands there twice the first counts.
  return new Map(parts.reverse());
}

const startOf = (node: unknown) => (node as Node | undefined)?.range?.[0] ?? 0;
