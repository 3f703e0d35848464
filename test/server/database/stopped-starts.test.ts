import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { expect, inject, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { ending, serve, start } from '../gatehouse.ts';
import { makeData } from './data.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const told = (hook: string, variables: Record<string, string>) => ({
  env: { ...process.env, NODE_OPTIONS: `--import ${hook}`, KILL_WITH: 'SIGTERM', ...variables },
});
const atStatement = fileURLToPath(new URL('kill-at-statement.ts', import.meta.url));
const atCall = fileURLToPath(new URL('../kill-at.ts', import.meta.url));

/** Expected exit of an interrupted first start. */
const quietly = { code: 0, output: '', errors: '' };

test('SIGTERM at any point of a start exits with code 0, and the next start succeeds', async () => {
  const data = await makeData({}, 'empty');
  const args = ['serve', '--port', '0', ...data.source];
  // Before the program loads.
  const first = told(atCall, { KILL_BEFORE: 'readdirSync', KILL_BELOW: repository, KILL_AT: '1' });
  expect(await ending(start(args, first))).toEqual(quietly);
  // While it creates tables, while it connects, and after it checked for tables.
  for (const at of isMatrix ? ['60', '1', '8'] : ['60']) {
    expect({ at, ...(await ending(start(args, told(atStatement, { KILL_AT_STATEMENT: at })))) }).toEqual({
      at,
      ...quietly,
    });
  }
  const served = await serve(...data.source);
  expect(await served.end('SIGTERM')).toBe(0);
  await data.remove();
});

test.runIf(!inject('postgres'))('a start that waits for a database stops on SIGINT', async () => {
  const data = await makeData();
  const connected = Promise.withResolvers<Socket>();
  const silent = createServer(connected.resolve).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const args = { user: 'x', password: 'x', dbname: 'x', host: '127.0.0.1', port, sslmode: 'disable' };
  const file = join(data.dataDir, 'silent.yaml');
  await writeFile(file, JSON.stringify({ database: { name: 'psycopg2', args } }));
  const child = start(['serve', '--port', '0', '--config', file, '--data-dir', data.dataDir]);
  const ended = ending(child);
  const socket = await connected.promise;
  child.kill('SIGINT');
  expect(await ended).toEqual(quietly);
  socket.destroy();
  silent.close();
  await data.remove();
});

test.runIf(!inject('postgres'))('a start that waits for a locked file stops on SIGTERM', async () => {
  const data = await makeData();
  const file = join(data.dataDir, 'homeserver.db');
  const other = new SqliteDatabase(file);
  other.exec('begin exclusive');
  const child = start(['serve', '--port', '0', ...data.source]);
  const ended = ending(child);
  // The lock file is created just before the database is opened.
  await expect.poll(() => existsSync(`${file}-serving.lock`)).toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toEqual(quietly);
  other.close();
  await data.remove();
});
