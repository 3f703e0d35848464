/** `npm run runtime`: finds or downloads an Electron runtime, or prints why it can't. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-runtime-'));
afterAll(() => rmSync(root, { recursive: true }));
const empty = join(root, 'empty');
mkdirSync(empty);

const fetchRuntime = (environment: NodeJS.ProcessEnv) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const { ELECTRON_SKIP_BINARY_DOWNLOAD: _, ...env } = process.env;
    const script = join(projectRoot, 'electron/launch/fetch-runtime.ts');
    const child = execFile(
      process.execPath,
      [script],
      // Disables earlier downloads.
      { env: { ...env, ELECTRON_OVERRIDE_DIST_PATH: empty, electron_config_cache: empty, ...environment } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
    );
  });

test.skipIf(process.platform !== 'linux')('an existing runtime is named', async () => {
  const folder = join(root, 'here');
  mkdirSync(folder);
  writeFileSync(join(folder, 'electron'), '#!/bin/sh\n');
  chmodSync(join(folder, 'electron'), 0o755);
  const { code, said } = await fetchRuntime({ ELECTRON_OVERRIDE_DIST_PATH: folder });
  expect(said).toBe(`Electron: ${join(folder, 'electron')}\n`);
  expect(code).toBe(0);
});

test('a runtime that must not be downloaded is reported missing with the reason', async () => {
  const { code, said } = await fetchRuntime({ ELECTRON_SKIP_BINARY_DOWNLOAD: '1' });
  expect(said).toMatch(/no Electron runtime: ELECTRON_SKIP_BINARY_DOWNLOAD prevents the download\n$/);
  expect(code).toBe(1);
});

test('an unreachable download server is reported', async () => {
  const { code, said } = await fetchRuntime({ ELECTRON_MIRROR: 'http://127.0.0.1:9/' });
  expect(said).toMatch(/no Electron runtime: can't reach http:\/\/127\.0\.0\.1:9\/\n$/);
  expect(code).toBe(1);
});

test('a missing download is reported with the status', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end('no such release'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { code, said } = await fetchRuntime({ ELECTRON_MIRROR: mirror });
    expect(said).toContain('404');
    expect(said).toMatch(/no Electron runtime: the download failed\n$/);
    expect(code).toBe(1);
  } finally {
    server.close();
  }
});
