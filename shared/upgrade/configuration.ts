/**
 * Configuration files as a planner reads them: where a setting stands, and little about its value. A file
 * holds secrets, so nothing here quotes one: not an error, not a place.
 */
import {
  type Alias,
  type Document,
  type ErrorCode,
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
import { inEnglish, type Sentence } from '../sentence.ts';

/** What a planner asks of a file. */
export type SearchedFile = {
  /** As it was given, usually a path. */
  name: string;
  /** Whether it is a worker's own file and not the shared configuration. */
  isWorker: boolean;
  /** Whether it is the main part of the shared configuration. */
  isMain: boolean;
  /**
   * Every place where a setting stands; none where it isn't set.
   *
   * @param path keys with dots between them; `[]` after a key means every item of the list there
   */
  find(path: string): Place[];
  /** The names at the top, where they stand. */
  names(): Pick<Place, 'setting' | 'line' | 'column'>[];
};

export type Configuration = readonly SearchedFile[];

export type ConfigurationFile = SearchedFile & {
  document: Document;
  /** What each alias stands for: to look for its anchor each time would take hours where a file is made of aliases. */
  aliases: ReadonlyMap<Alias, Node>;
  lines: LineCounter;
};

/** A file that can't be read as configuration. The message names the file and, where known, the place in it. */
export class ConfigurationFileError extends Error {
  /** The file, and the place where there is one: `homeserver.yaml, line 3, column 1`. */
  readonly place: string;
  readonly problem: Sentence;
  readonly at: { line: number; column: number } | undefined;
  constructor(name: string, problem: Sentence, at?: { line: number; column: number }) {
    const place = at ? `${name}, line ${at.line}, column ${at.column}` : name;
    super(`${place}: ${inEnglish(problem)}`);
    this.name = 'ConfigurationFileError';
    this.place = place;
    this.problem = problem;
    this.at = at;
  }
}

/** Where a setting stands in a file. */
export type Place = {
  file: SearchedFile;
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
  if (text.length > mostCharacters) {
    throw new ConfigurationFileError(name, {
      sentence: /*i18n*/ 'it is too large for configuration (over {megabytes} MB)',
      values: { megabytes: mostCharacters / 1_000_000 },
    });
  }
  // A picture or an archive, which no way of reading it as text makes settings of.
  if (text.includes('\0')) {
    throw new ConfigurationFileError(name, { sentence: /*i18n*/ 'it is no text, and so no configuration' });
  }
  const lines = new LineCounter();
  const { document, aliases, fault } = parse(name, text, lines);
  if (fault) {
    const before = text.slice(0, fault.pos[0]).split('\n');
    const at = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
    // The parser misses the dash of a list where a line in it begins one column too far to the left or right.
    const isIndentation =
      fault.code === 'MISSING_CHAR' && at.column === 1 && /^ /.test(text.slice(fault.pos[0]));
    const sentence = yamlFaults[isIndentation ? 'BAD_INDENT' : fault.code] ?? otherFault;
    throw new ConfigurationFileError(name, { sentence }, at);
  }
  const { contents } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (!isEmpty && !isMap(contents)) {
    throw new ConfigurationFileError(name, { sentence: /*i18n*/ 'it does not hold settings' });
  }
  const file: ConfigurationFile = {
    name,
    isWorker: false,
    isMain: false,
    document,
    aliases,
    lines,
    find: (path) => findSetting(file, path),
    names: () => topNames(file),
  };
  const has = (key: string) => file.find(key).length > 0;
  file.isWorker = has('worker_app');
  file.isMain = !file.isWorker && ['server_name', 'listeners', 'database'].some(has);
  return file;
}

/** What is longer is no configuration, and would be read for a long time. */
const mostCharacters = 2_000_000;
/** Maps that are merged out of more than that would be gone through for a long time, too. */
const mostAliases = 1_000;

type Fault = { pos: readonly [number, ...number[]]; code: ErrorCode };

/** What the parser's codes mean, in words that quote nothing of the file. */
const yamlFaults: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: /*i18n*/ 'it is not YAML: an alias (*name) takes no anchor and no tag of its own',
  BAD_ALIAS:
    /*i18n*/ 'it is not YAML: an alias (*name) stands for an anchor (&name) that the file does not have before it',
  BAD_COLLECTION_TYPE: /*i18n*/ 'it is not YAML: a list or a map stands where the other is announced',
  BAD_DIRECTIVE: /*i18n*/ 'it is not YAML: a line that begins with % is no directive of YAML',
  BAD_DQ_ESCAPE:
    /*i18n*/ 'it is not YAML: a text in double quotes has a backslash with a character that means nothing after it',
  BAD_INDENT: /*i18n*/ 'it is not YAML: the line is indented too little or too much',
  BAD_PROP_ORDER: /*i18n*/ 'it is not YAML: an anchor or a tag stands where none can be',
  BAD_SCALAR_START: /*i18n*/ 'it is not YAML: a value begins with a character that has to be in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    /*i18n*/ 'it is not YAML: two settings stand in one line, or a value with a colon in it is not in quotes',
  BLOCK_IN_FLOW: /*i18n*/ 'it is not YAML: an indented list or map stands within brackets or braces',
  KEY_OVER_1024_CHARS: /*i18n*/ 'it is not YAML: a name is longer than 1,024 characters',
  MISSING_CHAR: /*i18n*/ 'it is not YAML: a quote, a bracket, a comma or a colon is missing',
  MULTILINE_IMPLICIT_KEY:
    /*i18n*/ 'it is not YAML: a name goes over several lines, or a colon is missing after it',
  MULTIPLE_ANCHORS: /*i18n*/ 'it is not YAML: a value has two anchors',
  MULTIPLE_DOCS: /*i18n*/ 'it is not YAML: the file holds several documents (---), and configuration is one',
  MULTIPLE_TAGS: /*i18n*/ 'it is not YAML: a value has two tags',
  NON_STRING_KEY: /*i18n*/ 'it is not YAML: a name is no text',
  RESOURCE_EXHAUSTION: /*i18n*/ 'it is not YAML: it is nested too deeply',
  TAB_AS_INDENT: /*i18n*/ 'it is not YAML: a tab indents the line, and YAML takes spaces only',
  TAG_RESOLVE_FAILED: /*i18n*/ 'it is not YAML: a value does not fit the tag before it',
  UNEXPECTED_TOKEN: /*i18n*/ 'it is not YAML: something stands where nothing can be',
};
const otherFault = /*i18n*/ 'it is not YAML: it can not be understood from here on';

function parse(
  name: string,
  text: string,
  lineCounter: LineCounter,
): { document: Document; aliases: ReadonlyMap<Alias, Node>; fault: Fault | undefined } {
  let document: Document;
  try {
    document = parseDocument(text, {
      lineCounter,
      // Such servers read YAML 1.1, in which `yes` is true, and take the last of two equal keys.
      version: '1.1',
      uniqueKeys: false,
      // A pretty error would quote the line.
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch {
    // Nested deeper than the parser can go.
    throw new ConfigurationFileError(name, { sentence: /*i18n*/ 'it is not YAML that can be read' });
  }
  const { aliases, dangling } = resolved(document);
  if (aliases.size > mostAliases) {
    throw new ConfigurationFileError(name, {
      sentence: /*i18n*/ 'it has more than {most} aliases (*name), which no configuration needs',
      values: { most: mostAliases },
    });
  }
  const noAnchor: Fault | undefined = dangling && { pos: [dangling.range?.[0] ?? 0], code: 'BAD_ALIAS' };
  return { document, aliases, fault: document.errors[0] ?? noAnchor };
}

/** What each alias stands for: the last anchor of its name before it. The parser doesn't miss one that isn't there. */
function resolved(document: Document): { aliases: ReadonlyMap<Alias, Node>; dangling: Alias | undefined } {
  const anchors = new Map<string, Node>();
  const aliases = new Map<Alias, Node>();
  let dangling: Alias | undefined;
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias: (_, alias) => {
      const node = anchors.get(alias.source);
      if (node) aliases.set(alias, node);
      else dangling ??= alias;
    },
  });
  return { aliases, dangling };
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

function topNames({ document: { contents }, lines }: ConfigurationFile) {
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ key }) => {
    if (!isScalar(key) || isMergeKey(key.value)) return [];
    const { line, col } = lines.linePos(key.range?.[0] ?? 0);
    return { setting: String(key.value), line, column: col };
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

const resolve = ({ aliases }: ConfigurationFile, node: Node | null): Node | null =>
  isAlias(node) ? (aliases.get(node) ?? null) : node;
