import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveWith } from '../gatehouse.ts';

/** A module that prints the size of the young generation at exit, in bytes. */
const sayAtTheEnd = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { getHeapSpaceStatistics } from 'node:v8';
  process.on('exit', () => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    writeSync(2, 'young: ' + young.space_size);
  });
`)}`;

test("memory allocated at startup doesn't keep the young generation large", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-memory-'));
  const env = { ...process.env, NODE_OPTIONS: `--import ${sayAtTheEnd}` };
  const server = await serveWith({ env }, '--data-dir', dataDir, '--no-console');
  expect(await server.end('SIGTERM')).toBe(0);
  await rm(dataDir, { recursive: true });
  const [, size] = /young: (\d+)/.exec(await server.errors) ?? [];
  // Two semispaces of 4 MB.
  expect(Number(size)).toBeLessThanOrEqual(8 * 1024 ** 2);
});
