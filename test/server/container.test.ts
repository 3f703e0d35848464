/** Checks the container files without running a container. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkConfigurationText } from '../../server/administration/workbench/check-configuration.ts';

/** Checks that Compose can read the file and that it's safe. Key order is disabled, since it has no effect. */
const rulesOfStyle = [
  'service-keys-order',
  'services-alphabetical-order',
  'top-level-properties-order',
].flatMap((rule) => ['--disable-rule', rule]);

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFile(join(root, name), 'utf8');

test('the image contains all files that it names, runs unprivileged, and has a health check', async () => {
  const text = await read('Dockerfile');
  const stages = text.split(/^FROM /m).slice(1);
  expect(stages).toHaveLength(2);
  const [, last = ''] = stages;
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^VOLUME \/data$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('ENTRYPOINT'));
  for (const [, from = ''] of text.matchAll(/^COPY (?!--from|\. )(.*) \S+$/gm)) {
    for (const name of from.split(' ')) expect(existsSync(join(root, name)), name).toBe(true);
  }
  // The last stage copies all build outputs.
  expect([...last.matchAll(/--from=build \/build\/(\S+)/g)].map(([, path]) => path)).toEqual([
    'package.json',
    'node_modules',
    'dist/server',
    'dist/renderer',
  ]);
});

test('only named files are in the build: no data and no secrets', async () => {
  const lines = (await read('.dockerignore')).split('\n').filter((line) => line && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  for (const line of lines.slice(1)) {
    expect(line).toMatch(/^!/);
    expect(existsSync(join(root, line.slice(1))), line).toBe(true);
  }
});

test('the server starts with its example configurations', async () => {
  expect(
    await checkConfigurationText({
      text: await read('docker/homeserver.yaml'),
      file: '/etc/gatehouse/homeserver.yaml',
      dataDir: '/data',
    }),
  ).toEqual([]);
  const compose = parse(await read('compose.yaml'), { merge: true });
  const written: string = compose.configs.homeserver.content;
  const text = written.replaceAll(/\$\{\w+(?::-|:\?)([^}]*)\}/g, '$1');
  expect(
    await checkConfigurationText({ text, file: '/etc/gatehouse/homeserver.yaml', dataDir: '/data' }),
  ).toEqual([]);
  expect(Object.keys(compose.services)).toEqual(['balancer', 'one', 'other', 'database']);
  expect(existsSync(join(root, compose.configs.balancer.file))).toBe(true);
});

test.each([
  ['dockerfile-utils', ['lint', 'Dockerfile'], /^COPY /m, 'COPYY ', 'Unknown instruction: COPYY'],
  // Checks against the schema of the Compose specification too.
  [
    'dclint',
    ['compose.yaml', '--max-warnings', '0', ...rulesOfStyle],
    /restart:/,
    'restarts:',
    'additional properties',
  ],
])('%s passes and detects faults', async (linter, options, right, wrong, found) => {
  const lint = (folder: string) =>
    new Promise<string>((resolve) => {
      const program = join(root, 'node_modules/.bin', linter);
      execFile(program, options, { cwd: folder }, (error, out, err) =>
        resolve(error ? `${out}${err}${error.message}` : ''),
      );
    });
  expect(await lint(root)).toBe('');
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-container-'));
  try {
    const name = options.find((option) => existsSync(join(root, option))) ?? '';
    await writeFile(join(folder, name), (await read(name)).replace(right, wrong));
    expect(await lint(folder)).toContain(found);
  } finally {
    await rm(folder, { recursive: true });
  }
});
