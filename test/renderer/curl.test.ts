/** "Copy as curl": the shell runs curl with the request and nothing else, even if the request is hostile. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { curlCommand } from '../../renderer/features/local-server/requests/curl.ts';
import type { InspectedRequest } from '../../shared/workbench/inspector.ts';

const baseUrl = 'http://localhost:8008';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-curl-'));
  writeFileSync(join(folder, 'curl'), '#!/bin/sh\nprintf "%s\\0" "$@"\n', { mode: 0o755 });
});
afterEach(() => rmSync(join(folder, 'ran-too'), { force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function request(path: string, headers: [string, string][], body: string | null): InspectedRequest {
  const nothing = { headers: [], body: null, size: 0, cut: false };
  return {
    number: 1,
    received_ts: 0,
    method: 'PUT',
    path,
    request: { ...nothing, headers, body },
    reply: { ...nothing, status: 200 },
    ms: 1,
    user_id: null,
    database: { statements: 0, ms: 0, asked: [] },
  };
}

function sent(headers: [string, string][], body: string | null = null): InspectedRequest['request'] {
  return { ...request('/', headers, body).request };
}

/** Runs commands in a shell and returns the arguments of each curl call. */
function run(shell: string, commands: string): string[] {
  const env = { PATH: `${folder}:${process.env.PATH}`, TOKEN: "a 'token' $HOME" };
  const printed = execFileSync(shell, ['-c', commands], { cwd: folder, env, encoding: 'utf8' });
  return printed.split('\0').slice(0, -1);
}

const harm = 'touch ran-too';
const hostile = [
  `'; ${harm}; '`,
  `"; ${harm}; "`,
  `\\'; ${harm}; \\'`,
  `$(${harm})\`${harm}\` $TOKEN \${TOKEN} !! !-1`,
  `& ${harm} | ${harm} # * ? ~ {a,b} <(${harm}) > ran-too`,
  'größer 日本語 👩‍👩‍👧 \u202e%s %n %% \\0101 \\c \\x41',
];
/** Text with invisible characters is quoted differently. */
const hidden = hostile.flatMap((text) => [
  `${text}\n${text}`,
  `-v\n${text}`,
  `\u001b[201~\r\n${text}`,
  `${text}\u200b7\u0007`,
]);
const texts = [...hostile, ...hidden, '@/etc/hostname', '-v\nx', '\n', 'ends\n\n', `'\n`, `\t; ${harm}\n`];

test.each(['sh', 'bash'])('%s passes everything to curl unchanged and runs nothing', (shell) => {
  const commands = texts.map((text) => {
    const headers: [string, string][] = [
      ['authorization', 'Bearer <redacted>'],
      ['x-text', text],
      ['content-type', 'text/plain'],
    ];
    return curlCommand(baseUrl, request(`/${text}.`, headers, text));
  });
  // One shell for all commands, because starting it takes longer than running them.
  expect(run(shell, commands.join('\n'))).toEqual(
    texts.flatMap((text) => [
      ...['--globoff', '--request', 'PUT', `${baseUrl}/${text}.`],
      ...['--header', "Authorization: Bearer a 'token' $HOME", '--header', `x-text: ${text}`],
      ...['--header', 'content-type: text/plain', '--data-raw', text],
    ]),
  );
  expect(readdirSync(folder)).toEqual(['curl']);
});

test.each(hidden)('only visible characters of %j reach a terminal', (text) => {
  const command = curlCommand(baseUrl, request('/', [], text));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not occur
  expect(command).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/);
});

test('arguments with a null byte give no command', () => {
  expect(curlCommand(baseUrl, request('/', [], 'a\0b'))).toBeUndefined();
  expect(curlCommand(baseUrl, request('/\0', [], null))).toBeUndefined();
  expect(curlCommand(baseUrl, request('/', [['x-text', '\0']], null))).toBeUndefined();
});

test.each<[string, Partial<InspectedRequest>, string[]]>([
  // With `--request HEAD`, curl would wait for a body that never arrives.
  ['the head of a reply', { method: 'HEAD' }, ['--head', `${baseUrl}/a`]],
  ['a path with dots', { path: '/a/../%2e/b' }, ['--path-as-is', `${baseUrl}/a/../%2e/b`]],
  [
    'a header without a value',
    { request: sent([['x-empty', '']]) },
    [`${baseUrl}/a`, '--header', 'x-empty;'],
  ],
  [
    'a body of no type',
    { method: 'PUT', request: sent([], '{}') },
    ['--request', 'PUT', `${baseUrl}/a`, '--header', 'content-type:', '--data-raw', '{}'],
  ],
  [
    'a body that was not kept whole',
    {
      method: 'PUT',
      request: { ...sent([['content-type', 'image/png']], '(9 bytes of image/png)'), cut: true },
    },
    [
      ...['--request', 'PUT', `${baseUrl}/a`, '--header', 'content-type: image/png'],
      ...['--data-binary', '@body'],
    ],
  ],
])('%s repeats the original request', (_, changed, expected) => {
  const command = curlCommand(baseUrl, { ...request('/a', [], null), method: 'GET', ...changed });
  expect(run('sh', command ?? '')).toEqual(['--globoff', ...expected]);
});
