/**
 * Configuration files as a planner reads them: where a setting stands, and little about its value. A file
 * holds secrets, so nothing here quotes one: not an error, not a place.
 */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';

export type ConfigurationFile = {
  /** As it was given, usually a path. */
  name: string;
  /** Whether it is a worker's own file and not the shared configuration. */
  isWorker: boolean;
  /** Whether it is the main part of the shared configuration. */
  isMain: boolean;
  document: Document;
  lines: LineCounter;
  /**
   * Every place where a setting stands; none where it isn't set.
   *
   * @param path keys with dots between them; `[]` after a key means every item of the list there
   */
  find(path: string): Place[];
};

export type Configuration = readonly ConfigurationFile[];

/** A file that can't be read as configuration. The message names the file and, where known, the line. */
export class ConfigurationFileError extends Error {
  /** The file, and the line where there is one: `homeserver.yaml, line 3`. */
  readonly place: string;
  readonly problem: string;
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = 'ConfigurationFileError';
    this.place = place;
    this.problem = problem;
  }
}

/** Where a setting stands in a file. */
export type Place = {
  file: ConfigurationFile;
  /** The full path, with the position in each list: `listeners[0].type`. */
  setting: string;
  line: number;
  column: number;
  /** The value where it is a plain one; undefined for maps and lists. */
  value: unknown;
  /** Whether the map that the setting is in has this key, too. */
  hasSibling(key: string): boolean;
};

/**
 * Reads `homeserver.yaml`, a part of it, or a worker's file.
 *
 * @param name what the file is called in the plan
 * @throws ConfigurationFileError
 */
export function readConfiguration(name: string, text: string): ConfigurationFile {
  const lines = new LineCounter();
  const { document, fault } = parse(name, text, lines);
  if (fault) {
    const line = text.slice(0, fault.pos[0]).split('\n').length;
    throw new ConfigurationFileError(`${name}, line ${line}`, `it is not YAML (${fault.code})`);
  }
  const { contents } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (!isEmpty && !isMap(contents)) {
    throw new ConfigurationFileError(name, 'it does not hold settings');
  }
  const file: ConfigurationFile = {
    name,
    isWorker: false,
    isMain: false,
    document,
    lines,
    find: (path) => findSetting(file, path),
  };
  const has = (key: string) => file.find(key).length > 0;
  file.isWorker = has('worker_app');
  file.isMain = !file.isWorker && ['server_name', 'listeners', 'database'].some(has);
  return file;
}

type Fault = { pos: readonly [number, ...number[]]; code: string };

function parse(
  name: string,
  text: string,
  lineCounter: LineCounter,
): { document: Document; fault: Fault | undefined } {
  try {
    const document = parseDocument(text, {
      lineCounter,
      // Such servers read YAML 1.1, in which `yes` is true, and take the last of two equal keys.
      version: '1.1',
      uniqueKeys: false,
      // A pretty error would quote the line.
      prettyErrors: false,
      logLevel: 'error',
    });
    return { document, fault: document.errors[0] ?? danglingAlias(document) };
  } catch {
    // Nested deeper than the parser can go.
    throw new ConfigurationFileError(name, 'it is not YAML that can be read');
  }
}

/** An alias without an anchor before it: the parser leaves these to whoever resolves them. */
function danglingAlias(document: Document): Fault | undefined {
  const anchors = new Set<string>();
  let dangling: Alias | undefined;
  visit(document, {
    Value: (_, { anchor }) => {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Alias: (_, alias) => {
      if (anchors.has(alias.source)) return undefined;
      dangling = alias;
      return visit.BREAK;
    },
  });
  return dangling && { pos: [dangling.range?.[0] ?? 0], code: 'BAD_ALIAS' };
}

/**
 * Every place of a setting in a file.
 *
 * @param path keys with dots between them; `[]` after a key means every item of the list there
 */
export function findSetting(file: ConfigurationFile, path: string): Place[] {
  const { contents } = file.document;
  return contents ? find(file, contents, path.split('.'), '') : [];
}

function find(
  file: ConfigurationFile,
  node: Node,
  [segment = '', ...rest]: string[],
  above: string,
): Place[] {
  const map = resolve(file, node);
  if (!isMap(map)) return [];
  const isList = segment.endsWith('[]');
  const key = isList ? segment.slice(0, -2) : segment;
  const setting = above ? `${above}.${key}` : key;
  return entries(file, map, key).flatMap(({ at, value }) => {
    if (isList) {
      const list = resolve(file, value);
      if (!isSeq(list)) return [];
      return list.items.flatMap((item, index) => find(file, item as Node, rest, `${setting}[${index}]`));
    }
    if (rest.length > 0) return value ? find(file, value, rest, setting) : [];
    const { line, col } = file.lines.linePos(at);
    const resolved = resolve(file, value);
    return {
      file,
      setting,
      line,
      column: col,
      value: isScalar(resolved) ? resolved.value : undefined,
      hasSibling: (sibling: string) => entries(file, map, sibling).length > 0,
    };
  });
}

type Entry = { at: number; value: Node | null };

/** The entries of a map with a key: its own, or else those of the maps that are merged into it by `<<`. */
function entries(file: ConfigurationFile, map: YAMLMap, key: string, merging = new Set<YAMLMap>()): Entry[] {
  if (merging.has(map)) return [];
  merging.add(map);
  const own: Entry[] = [];
  const merged: Entry[] = [];
  for (const pair of map.items) {
    if (!isScalar(pair.key)) continue;
    const value = pair.value as Node | null;
    if (pair.key.value === key) own.push({ at: pair.key.range?.[0] ?? 0, value });
    if (isMergeKey(pair.key.value)) {
      const source = resolve(file, value);
      const sources = isSeq(source) ? source.items.map((item) => resolve(file, item as Node)) : [source];
      merged.push(...sources.filter(isMap).flatMap((other) => entries(file, other, key, merging)));
    }
  }
  return own.length > 0 ? own : merged;
}

const isMergeKey = (key: unknown) => key === '<<' || (typeof key === 'symbol' && key.description === '<<');

const resolve = (file: ConfigurationFile, node: Node | null): Node | null =>
  isAlias(node) ? (node.resolve(file.document) ?? null) : node;
