/** What can be written at a place of a YAML text, by the JSON Schema of the whole. Pure: it knows no editor. */
import type { JsonObject } from '../../../../shared/api/common.ts';

export type Proposal = {
  /** What is written. */
  text: string;
  kind: 'setting' | 'value';
  description?: string;
  /** As it is where nothing is written. */
  default?: string;
  /** Whether it holds settings of its own, which stand beneath it. */
  isSection?: true;
};

/** Where what is being written begins, as an offset in its line, and what it can become. */
export type Proposals = { from: number; proposals: Proposal[] };

const keyBegun = /^(\s*)((?:- +)*)([\w-]*)$/;
const valueBegun = /^(\s*)((?:- +)*)([\w-]+):[ \t]+([^\s#]*)$/;
const entryBegun = /^(\s*)((?:- +)+)([^\s:#]*)$/;

/**
 * What can stand where the cursor is.
 *
 * @param before the lines before the cursor's, the first one first
 * @param line the cursor's line up to the cursor
 */
export function proposalsAt(schema: JsonObject, before: readonly string[], line: string): Proposals {
  const value = valueBegun.exec(line);
  if (value) {
    const [, indent = '', dashes = '', name = '', begun = ''] = value;
    const path = [...pathOf(before, indent.length, dashes), name];
    return { from: line.length - begun.length, proposals: values(schemasAt(schema, path)) };
  }
  const key = keyBegun.exec(line);
  if (!key) return { from: line.length, proposals: [] };
  const [, indent = '', dashes = '', begun = ''] = key;
  const around = schemasAt(schema, pathOf(before, indent.length, dashes));
  const entry = entryBegun.exec(line);
  return {
    from: line.length - begun.length,
    proposals: [...settings(around), ...(entry ? values(around) : [])],
  };
}

/** How far in the lines stand that belong to a name; undefined where this line isn't one that nothing follows. */
export function indentBeneath(line: string): number | undefined {
  const name = /^(\s*(?:- +)*)[\w-]+:\s*$/.exec(line);
  return name ? (name[1] ?? '').length + 2 : undefined;
}

/** The names of what a line lies in, by the indentation of the lines above it; a list's entry is `[]`. */
function pathOf(before: readonly string[], indent: number, dashes: string): string[] {
  const path: string[] = dashes === '' ? [] : ['[]'];
  let limit = indent;
  for (const line of before.toReversed()) {
    const found = /^(\s*)((?:- +)*)(?:([\w-]+):)?/.exec(line);
    if (!found || /^\s*(#|$)/.test(line)) continue;
    const [, spaces = '', listed = '', name] = found;
    const at = spaces.length + listed.length;
    // A list may stand as far to the left as what it belongs to.
    const isOfList = path[0] === '[]' && listed === '' && at <= limit && name !== undefined;
    if (listed !== '' && at <= limit && spaces.length < limit && path[0] !== '[]') {
      path.unshift('[]');
      limit = spaces.length;
      continue;
    }
    if (name !== undefined && (at < limit || isOfList)) {
      path.unshift(name);
      limit = at;
      if (limit === 0) break;
    }
  }
  return path;
}

type Schema = JsonObject;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema and, where it is a choice, everything that it can be. */
function alternatives(schema: unknown): Schema[] {
  if (!isObject(schema)) return [];
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list.flatMap(alternatives) : [],
  );
  return [schema, ...choices];
}

function schemasAt(schema: JsonObject, path: readonly string[]): Schema[] {
  return path.reduce<Schema[]>(
    (around, name) =>
      around.flatMap((each) =>
        name === '[]'
          ? alternatives(each.items)
          : alternatives(
              isObject(each.properties) && name in each.properties
                ? each.properties[name]
                : each.additionalProperties,
            ),
      ),
    alternatives(schema),
  );
}

function settings(schemas: readonly Schema[]): Proposal[] {
  const found = new Map<string, Proposal>();
  for (const { properties } of schemas) {
    if (!isObject(properties)) continue;
    for (const [name, setting] of Object.entries(properties)) {
      const isSection = alternatives(setting).some((each) => isObject(each.properties));
      found.set(name, {
        text: `${name}:`,
        kind: 'setting',
        ...said(setting),
        ...(isSection && { isSection }),
      });
    }
  }
  return [...found.values()];
}

function values(schemas: readonly Schema[]): Proposal[] {
  const found = new Map<string, Proposal>();
  const add = (value: unknown, description?: string) => {
    if (typeof value === 'object') return;
    const text = String(value);
    found.set(text, { text, kind: 'value', ...(description !== undefined && { description }) });
  };
  for (const schema of schemas) {
    const { description } = said(schema);
    if (schema.type === 'boolean') for (const value of [true, false]) add(value, description);
    if ('const' in schema) add(schema.const, description);
    for (const list of [schema.enum, schema.examples]) {
      if (Array.isArray(list)) for (const value of list) add(value, description);
    }
    if ('default' in schema) add(schema.default, description);
  }
  return [...found.values()];
}

function said(schema: unknown): { description?: string; default?: string } {
  if (!isObject(schema)) return {};
  return {
    ...(typeof schema.description === 'string' && { description: schema.description }),
    ...('default' in schema && { default: JSON.stringify(schema.default) }),
  };
}
