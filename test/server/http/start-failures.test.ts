import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeDatabase } from '../database.ts';
import { collect, serve, start } from '../gatehouse.ts';

let taken: Server;
let takenPort: number;
beforeAll(async () => {
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  takenPort = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => new Promise<void>((resolve) => taken.close(() => resolve())));

let dataDir: string;
let database: Awaited<ReturnType<typeof makeDatabase>>;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-start-'));
  database = await makeDatabase();
});
afterEach(async () => {
  await database?.drop();
  await rm(dataDir, { recursive: true });
});

/** Writes a configuration file and returns the options for it. */
async function configured(settings: object): Promise<string[]> {
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, JSON.stringify({ ...settings, ...databaseSettings() }));
  return ['--config', file, '--data-dir', dataDir];
}

function databaseSettings(): object {
  if (database?.config.name !== 'psycopg2') return {};
  const { user, password, database: dbname, host, port } = database.config;
  return { database: { name: 'psycopg2', args: { user, password, dbname, host, port } } };
}

/** Runs a start that must fail. Kills one that doesn't; it then has no exit code. */
async function failedStart(...args: string[]) {
  const child = start(['serve', ...args]);
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  const tooLong = setTimeout(() => child.kill('SIGKILL'), 40_000);
  const [code] = await once(child, 'close');
  clearTimeout(tooLong);
  return { code, output: await output, errors: await errors };
}

const listener = (more: object) => ({ listeners: [{ type: 'http', port: 0, ...more }] });

describe('a failed start exits with code 1 and one line, and leaves nothing running:', () => {
  test.each<[string, () => object, RegExp]>([
    [
      'the port is taken',
      () => ({ listeners: [{ type: 'http', port: takenPort }] }),
      /^gatehouse: listeners\[0\]\.port: .*127\.0\.0\.1:\d+ is in use by another program/,
    ],
    [
      'the metrics port is taken',
      () => ({
        listeners: [
          { type: 'http', port: 0 },
          { type: 'metrics', port: takenPort },
        ],
      }),
      /^gatehouse: listeners\[1\]\.port: .*127\.0\.0\.1:\d+ is in use by another program/,
    ],
    [
      "an address that the machine doesn't have",
      () => listener({ bind_addresses: ['192.0.2.7'] }),
      /^gatehouse: listeners\[0\]\.bind_addresses: .*192\.0\.2\.7/,
    ],
    [
      'one of several addresses is invalid',
      () => listener({ bind_addresses: ['127.0.0.1', 'nowhere.invalid'] }),
      /^gatehouse: listeners\[0\]\.bind_addresses: .*nowhere\.invalid/,
    ],
    [
      'the second listener has the port of another program',
      () => ({
        listeners: [
          { type: 'http', port: 0 },
          { type: 'http', port: takenPort },
        ],
      }),
      /^gatehouse: listeners\[1\]\.port: .*in use by another program/,
    ],
  ])('%s', async (_, settings, message) => {
    const { code, output, errors } = await failedStart(...(await configured(settings())));
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(message);
    expect(errors).toMatch(/^[^\n]+\n$/);
  });

  test('the port of the command line is in use', async () => {
    const { code, output, errors } = await failedStart(...(await configured({})), '--port', `${takenPort}`);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^gatehouse: --port: .*in use.*\n$/);
    expect(errors).toMatch(/^[^\n]+\n$/);
  });

  test('the signing key is empty', async () => {
    await writeFile(join(dataDir, 'signing.key'), '');
    const { code, output, errors } = await failedStart(...(await configured({})), '--port', '0');
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^gatehouse: signing_key_path: .*signing\.key/);
    expect(errors).toMatch(/^[^\n]+\n$/);
    expect(await readdir(dataDir)).toContain('signing.key');
  });
});

test('resources of a failed start are free for the next one', async () => {
  const file = await configured({ listeners: [{ type: 'http', port: takenPort }] });
  expect((await failedStart(...file)).code).toBe(1);
  const server = await serve(...file);
  expect(await server.end('SIGTERM')).toBe(0);
});
