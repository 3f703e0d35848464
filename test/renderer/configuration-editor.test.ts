/** Completions and diff of the homeserver.yaml editor. */
import { expect, test } from 'vitest';
import { type DiffLine, lineDiff } from '../../renderer/features/local-server/configuration/Changes.tsx';
import { childIndent, completionsAt } from '../../renderer/features/local-server/configuration/completion.ts';
import { hideSecrets } from '../../renderer/features/local-server/configuration/secret-values.ts';

const schema = {
  properties: {
    server_name: { type: 'string', description: 'what it is called' },
    enable_registration: { type: 'boolean', default: false },
    jwt_config: {
      properties: {
        algorithm: { enum: ['HS256', 'RS256'] },
        audiences: { type: 'array', items: { examples: ['chat'] } },
      },
    },
    listeners: {
      type: 'array',
      items: { properties: { port: { examples: [8008] }, type: { enum: ['http', 'metrics'] } } },
    },
    caches: { anyOf: [{ const: null }, { properties: { global_factor: { default: 0.5 } } }] },
    rooms: { additionalProperties: { properties: { limit: { default: 5 } } } },
  },
};

test.each<[string, string[], string[]]>([
  [
    'on an empty line, every setting',
    [''],
    ['server_name:', 'enable_registration:', 'jwt_config:', 'listeners:', 'caches:', 'rooms:'],
  ],
  ['after a setting, its values', ['enable_registration: '], ['true', 'false']],
  ['in a section, its settings', ['jwt_config:', '  '], ['algorithm:', 'audiences:']],
  ['over blank lines', ['jwt_config:', '', '  # which one', '  algorithm: '], ['HS256', 'RS256']],
  ['in a list, values of its entries', ['jwt_config:', '  audiences:', '    - '], ['chat']],
  ['in an entry, its settings', ['listeners:', '  - port: 1', '    '], ['port:', 'type:']],
  ['at an entry that begins', ['listeners:', '  - '], ['port:', 'type:']],
  ['in a list as far left as its name', ['listeners:', '- type: '], ['http', 'metrics']],
  ['in a section that may be something else', ['caches:', '  '], ['global_factor:']],
  ['under names that are free', ['rooms:', '  any-name:', '    '], ['limit:']],
  [
    'back at the left, every setting again',
    ['jwt_config:', '  algorithm: HS256', 'server_n'],
    ['server_name:'],
  ],
  ['under an unknown setting, nothing', ['nothing:', '  '], []],
  ['in a comment, nothing', ['# jwt'], []],
])('proposes %s', (_, lines, expected) => {
  const line = lines.at(-1) ?? '';
  const { from, suggestions } = completionsAt(schema, lines.slice(0, -1), line);
  // The editor filters by the typed prefix.
  const begun = line.slice(from);
  const offered = suggestions.map(({ text }) => text).filter((text) => text.startsWith(begun));
  expect(offered).toEqual(expected);
});

test('describes a setting and its default', () => {
  expect(completionsAt(schema, [], 'enable').suggestions).toContainEqual({
    text: 'enable_registration:',
    kind: 'setting',
    default: 'false',
  });
  expect(completionsAt(schema, [], 'server').suggestions).toContainEqual({
    text: 'server_name:',
    kind: 'setting',
    description: 'what it is called',
  });
});

test.each<[string, number | undefined]>([
  ['jwt_config:', 2],
  ['  per_cache_factors:  ', 4],
  ['  - listeners:', 6],
  ['server_name: localhost', undefined],
  ['# jwt_config:', undefined],
  ['', undefined],
])('the children of %j are indented by %s columns', (line, expected) => {
  expect(childIndent(line)).toBe(expected);
});

test('nested settings are distinguished from inline values', () => {
  const { suggestions } = completionsAt(schema, [], '');
  expect(suggestions.filter(({ isSection }) => isSection).map(({ text }) => text)).toEqual([
    'jwt_config:',
    'caches:',
  ]);
});

const signs: Record<DiffLine['kind'], string> = { same: ' ', removed: '-', added: '+' };
const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text, line }) => `${signs[kind]}${line} ${text}`);
const ten = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const text = (...lines: string[]) => lines.join('\n');

test.each<[string, string, string, string[]]>([
  ['equal texts, nothing', text(...ten), text(...ten), []],
  ['a line that changes', 'a\nb\nc', 'a\nB\nc', [' 1 a', '-2 b', '+2 B', ' 3 c']],
  ['a line that is new at the end', 'a', 'a\nb', [' 1 a', '+2 b']],
  ['a deleted line at the end', 'a\nb', 'a', [' 1 a', '-2 b']],
  ['a line that is new at the beginning', 'b', 'a\nb', ['+1 a', ' 2 b']],
  ['text in an empty file', '', 'a\nb', ['+1 a', '+2 b']],
  ['an emptied file', 'a\nb', '', ['-1 a', '-2 b']],
  [
    'three lines around a change, and no more',
    text(...ten),
    text(...ten.map((line) => (line === 'e' ? 'E' : line))),
    [' 2 b', ' 3 c', ' 4 d', '-5 e', '+5 E', ' 6 f', ' 7 g', ' 8 h'],
  ],
  [
    'each line once between two changes that are near',
    text(...ten),
    text('A', ...ten.slice(1, 4), 'E', ...ten.slice(5)),
    ['-1 a', '+1 A', ' 2 b', ' 3 c', ' 4 d', '-5 e', '+5 E', ' 6 f', ' 7 g', ' 8 h'],
  ],
])('shows %s', (_, before, after, expected) => {
  expect(shown(before, after)).toEqual(expected);
});

test.each([
  ['registration_shared_secret: abc', 'registration_shared_secret: ••••••••'],
  ['macaroon_secret_key: "a # b" # keep', 'macaroon_secret_key: •••••••• # keep'],
  ['  - as_token: abc  # keep', '  - as_token: ••••••••  # keep'],
  [
    'args: {user: gatehouse, password: a b, host: "x"}',
    'args: {user: gatehouse, password: ••••••••, host: "x"}',
  ],
  ['secret: |\n  first\n\n  second\nnext: 1', 'secret: |\n  ••••••••\n\n  ••••••••\nnext: 1'],
  ['registration_requires_token: true', 'registration_requires_token: true'],
  ['jwt_config:\n  enabled: true', 'jwt_config:\n  enabled: true'],
  ['form_secret_path: /run/secret', 'form_secret_path: /run/secret'],
  ['# password: abc', '# password: abc'],
])('the secrets in %j are hidden', (text, expected) => {
  expect(hideSecrets(text)).toBe(expected);
});
