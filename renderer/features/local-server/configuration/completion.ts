/** Completes YAML text by its JSON Schema. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { isObject } from '../../../../shared/is-object.ts';

export type Suggestion = {
  /** The text to insert. */
  text: string;
  kind: 'setting' | 'value';
  description?: string;
  /** The default, as JSON. */
  default?: string;
  /** Whether the setting has child settings. */
  isSection?: true;
};

/** `from` is the offset in the line that a suggestion replaces from. */
export type Suggestions = { from: number; suggestions: Suggestion[] };

const keyPattern = /^(\s*)((?:- +)*)([\w-]*)$/;
const valuePattern = /^(\s*)((?:- +)*)([\w-]+):[ \t]+([^\s#]*)$/;
const entryPattern = /^(\s*)((?:- +)+)([^\s:#]*)$/;

/**
 * Returns the suggestions at the cursor.
 *
 * @param before the lines above the cursor's line
 * @param line the cursor's line up to the cursor
 */
export function completionsAt(schema: JsonObject, before: readonly string[], line: string): Suggestions {
  const value = valuePattern.exec(line);
  if (value) {
    const [, indent = '', dashes = '', name = '', prefix = ''] = value;
    const path = [...pathOf(before, indent.length, dashes), name];
    return { from: line.length - prefix.length, suggestions: values(schemasAt(schema, path)) };
  }
  const key = keyPattern.exec(line);
  if (!key) return { from: line.length, suggestions: [] };
  const [, indent = '', dashes = '', prefix = ''] = key;
  const parents = schemasAt(schema, pathOf(before, indent.length, dashes));
  const entry = entryPattern.exec(line);
  return {
    from: line.length - prefix.length,
    suggestions: [...settings(parents), ...(entry ? values(parents) : [])],
  };
}

/** Returns the indentation of lines below a name; undefined unless the name ends its line. */
export function childIndent(line: string): number | undefined {
  const name = /^(\s*(?:- +)*)[\w-]+:\s*$/.exec(line);
  return name ? (name[1] ?? '').length + 2 : undefined;
}

/**
 * Returns the names of the mappings that contain a line, by the indentation of the lines above it; a list's entry is
 * `[]`.
 */
function pathOf(before: readonly string[], indent: number, dashes: string): string[] {
  const path: string[] = dashes === '' ? [] : ['[]'];
  let limit = indent;
  for (const line of before.toReversed()) {
    const match = /^(\s*)((?:- +)*)(?:([\w-]+):)?/.exec(line);
    if (!match || /^\s*(#|$)/.test(line)) continue;
    const [, spaces = '', listed = '', name] = match;
    const at = spaces.length + listed.length;
    // A list needn't be indented below its name.
    const isListName = path[0] === '[]' && listed === '' && at <= limit && name !== undefined;
    if (listed !== '' && at <= limit && spaces.length < limit && path[0] !== '[]') {
      path.unshift('[]');
      limit = spaces.length;
      continue;
    }
    if (name !== undefined && (at < limit || isListName)) {
      path.unshift(name);
      limit = at;
      if (limit === 0) break;
    }
  }
  return path;
}

type Schema = JsonObject;

/** Returns the schema and all its `anyOf`, `oneOf` and `allOf` members. */
function alternatives(schema: unknown): Schema[] {
  if (!isObject(schema)) return [];
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list.flatMap(alternatives) : [],
  );
  return [schema, ...choices];
}

function schemasAt(schema: JsonObject, path: readonly string[]): Schema[] {
  return path.reduce<Schema[]>(
    (parents, name) =>
      parents.flatMap((parent) =>
        name === '[]'
          ? alternatives(parent.items)
          : alternatives(
              isObject(parent.properties) && name in parent.properties
                ? parent.properties[name]
                : parent.additionalProperties,
            ),
      ),
    alternatives(schema),
  );
}

function settings(schemas: readonly Schema[]): Suggestion[] {
  const suggestions = new Map<string, Suggestion>();
  for (const { properties } of schemas) {
    if (!isObject(properties)) continue;
    for (const [name, setting] of Object.entries(properties)) {
      const isSection = alternatives(setting).some((each) => isObject(each.properties));
      suggestions.set(name, {
        text: `${name}:`,
        kind: 'setting',
        ...documentationOf(setting),
        ...(isSection && { isSection }),
      });
    }
  }
  return [...suggestions.values()];
}

function values(schemas: readonly Schema[]): Suggestion[] {
  const suggestions = new Map<string, Suggestion>();
  const add = (value: unknown, description?: string) => {
    if (typeof value === 'object') return;
    const text = String(value);
    suggestions.set(text, { text, kind: 'value', ...(description !== undefined && { description }) });
  };
  for (const schema of schemas) {
    const { description } = documentationOf(schema);
    if (schema.type === 'boolean') for (const value of [true, false]) add(value, description);
    if ('const' in schema) add(schema.const, description);
    for (const list of [schema.enum, schema.examples]) {
      if (Array.isArray(list)) for (const value of list) add(value, description);
    }
    if ('default' in schema) add(schema.default, description);
  }
  return [...suggestions.values()];
}

function documentationOf(schema: unknown): { description?: string; default?: string } {
  if (!isObject(schema)) return {};
  return {
    ...(typeof schema.description === 'string' && { description: schema.description }),
    ...('default' in schema && { default: JSON.stringify(schema.default) }),
  };
}
