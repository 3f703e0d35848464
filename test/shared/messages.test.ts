import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Returns the names of an ICU message's values, and the numbers of its elements. */
function placeholdersOf(message: string): Set<string> {
  const names = new Set<string>(Array.from(message.matchAll(/<(\d+)\/?>/g), ([, index = '']) => index));
  let at = 0;
  /** Reads text up to the closing brace. */
  function text() {
    for (; at < message.length && message[at] !== '}'; at++) if (message[at] === '{') argument();
    at++;
  }
  /** Reads `{name}`, or `{name, plural, one {text} other {text}}`. */
  function argument() {
    const end = at + message.slice(at).search(/[,}]/);
    names.add(message.slice(at + 1, end).trim());
    for (at = end; at < message.length && message[at] !== '}'; ) {
      at++;
      if (message[at - 1] === '{') text();
    }
  }
  text();
  return names;
}

/** Returns names as a comparable string. */
const sorted = (names: Iterable<string>) => [...names].sort().join();

type Use = { at: string; message: string; given: string[] };

const isNode = (node: unknown): node is { type: string } => typeof node === 'object' && node !== null;
/** Returns the literal strings that an expression can evaluate to. */
function stringsIn(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'Literal') return [String((node as ESTree.StringLiteral).value)];
  if (node.type !== 'ConditionalExpression') return [];
  const { consequent, alternate } = node as ESTree.ConditionalExpression;
  return [...stringsIn(consequent), ...stringsIn(alternate)];
}

/** Returns the keys of an object literal; undefined for any other expression. */
function keysOf(node: unknown): string[] | undefined {
  if (node === undefined) return [];
  if (!isNode(node) || node.type !== 'ObjectExpression') return undefined;
  const { properties } = node as ESTree.ObjectExpression;
  const keys = properties.map((property) =>
    property.type === 'Property' && !property.computed
      ? ((property.key as { name?: string }).name ?? String((property.key as { value?: unknown }).value))
      : undefined,
  );
  return keys.includes(undefined) ? undefined : (keys as string[]);
}

/** Returns the messages of a file whose values are an object literal. */
function usesIn(file: string): Use[] {
  const code = readFileSync(join(root, file), 'utf8');
  const uses: Use[] = [];
  const add = (start: number, messages: string[], given: string[] | undefined) => {
    const at = `${file}:${code.slice(0, start).split('\n').length}`;
    if (given) uses.push(...messages.map((message) => ({ at, message, given })));
  };
  new Visitor({
    CallExpression({ start, callee, arguments: [id, values] }) {
      if (code.slice(callee.start, callee.end) === 'i18n.t') add(start, stringsIn(id), keysOf(values));
    },
    JSXOpeningElement({ start, name, attributes }) {
      if (code.slice(name.start, name.end) !== 'Trans') return;
      const expressionOf = (wanted: string) => {
        const found = attributes.find((each) => each.type === 'JSXAttribute' && each.name.name === wanted);
        const value = found?.type === 'JSXAttribute' ? found.value : undefined;
        return value?.type === 'JSXExpressionContainer' ? value.expression : (value ?? undefined);
      };
      const [values, components] = [keysOf(expressionOf('values')), keysOf(expressionOf('components'))];
      add(start, stringsIn(expressionOf('id')), values && components && [...values, ...components]);
    },
  }).visit(parseSync(file, code).program);
  return uses;
}

describe('messages get exactly the values that they use', () => {
  const files = ['renderer', 'electron'].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }),
  );
  const uses = files.flatMap(usesIn);

  test('in code', () => {
    expect(uses.length).toBeGreaterThan(1000);
    const wrong = uses.filter(({ message, given }) => sorted(given) !== sorted(placeholdersOf(message)));
    expect(wrong).toEqual([]);
  });

  test.each(['renderer', 'electron'])('in German, in %s', (folder) => {
    const catalogue = readFileSync(join(root, folder, 'words/de.po'), 'utf8');
    const entries = catalogue.split(/\n\n+/).map((entry) => {
      const field = (name: string) =>
        [...(new RegExp(`^${name} ((?:".*"\\n?)+)`, 'm').exec(entry)?.[1] ?? '').matchAll(/"(.*)"/g)]
          .map(([quoted]) => JSON.parse(quoted))
          .join('');
      return { english: field('msgid'), german: field('msgstr') };
    });
    const wrong = entries.filter(
      ({ english, german }) => sorted(placeholdersOf(english)) !== sorted(placeholdersOf(german)),
    );
    expect(wrong).toEqual([]);
  });
});
