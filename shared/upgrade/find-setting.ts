/** Finds settings in a file, through aliases and merged maps. */
import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { ConfigurationFile, SettingPosition } from './configuration.ts';

/**
 * Returns all positions of a setting.
 *
 * @param path keys separated by dots; `[]` after a key matches every item of its list
 */
export function findSetting(file: ConfigurationFile, path: string): SettingPosition[] {
  const { contents } = file.document;
  return contents ? find(file, contents, path.split('.'), '') : [];
}

function find(
  file: ConfigurationFile,
  node: Node,
  [segment = '', ...rest]: string[],
  above: string,
): SettingPosition[] {
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

/** Returns the top-level names of a file with their positions. */
export function topNames({ document: { contents }, lines }: ConfigurationFile) {
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ key }) => {
    if (!isScalar(key) || isMergeKey(key.value)) return [];
    const { line, col } = lines.linePos(key.range?.[0] ?? 0);
    return { setting: String(key.value), line, column: col };
  });
}

type Entry = { at: number; value: Node | null };

/** Returns a map's entry for a key, or else those of the maps merged into it by `<<`. */
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
  // Servers use the last of repeated keys.
  return own.length > 0 ? own.slice(-1) : merged;
}

const isMergeKey = (key: unknown) => key === '<<' || (typeof key === 'symbol' && key.description === '<<');

const resolve = ({ aliases }: ConfigurationFile, node: Node | null): Node | null =>
  isAlias(node) ? (aliases.get(node) ?? null) : node;
