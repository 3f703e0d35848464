/** What the container's files say, as far as that can be seen without a container. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { problemsIn } from '../../server/workbench/configuration-problems.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFile(join(root, name), 'utf8');

test('the image has what it names, runs without rights, and is asked whether it lives', async () => {
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
  // What is built is what the last stage takes.
  expect([...last.matchAll(/--from=build \/build\/(\S+)/g)].map(([, path]) => path)).toEqual([
    'package.json',
    'node_modules',
    'dist/server',
    'dist/renderer',
  ]);
});

test('only what is named goes to the build: no data, and no secret', async () => {
  const lines = (await read('.dockerignore')).split('\n').filter((line) => line && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  for (const line of lines.slice(1)) {
    expect(line).toMatch(/^!/);
    expect(existsSync(join(root, line.slice(1))), line).toBe(true);
  }
});

test('the configurations in it are ones with which the server starts', async () => {
  expect(
    await problemsIn(await read('docker/homeserver.yaml'), '/etc/gatehouse/homeserver.yaml', '/data'),
  ).toEqual([]);
  const compose = parse(await read('compose.yaml'), { merge: true });
  const written: string = compose.configs.homeserver.content;
  const text = written.replaceAll(/\$\{\w+(?::-|:\?)([^}]*)\}/g, '$1');
  expect(await problemsIn(text, '/etc/gatehouse/homeserver.yaml', '/data')).toEqual([]);
  expect(Object.keys(compose.services)).toEqual(['balancer', 'one', 'other', 'database']);
  expect(existsSync(join(root, compose.configs.balancer.file))).toBe(true);
});
