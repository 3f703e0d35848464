import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { ending, gatehouse, serve, start } from '../gatehouse.ts';
import { call } from '../homeserver.ts';
import { makeData } from './data.ts';

const kills = isMatrix ? 12 : 3;
const hook = fileURLToPath(new URL('kill-at-statement.ts', import.meta.url));

/** Returns the environment of a process that counts its statements or dies at one. */
const counting = (variables: Record<string, string>) => ({
  env: { ...process.env, NODE_OPTIONS: `--import ${hook}`, ...variables },
});

test('a first start killed at any statement succeeds the next time', { timeout: 180_000 }, async () => {
  const whole = await makeData({}, 'empty');
  // Creates a user in a new database. This does everything that a start does before listening, and a little more.
  const add = ['users', 'add', 'alice', '--password', 'secret'];
  const { code, errors } = await ending(
    start([...add, ...whole.source], counting({ COUNT_STATEMENTS: '1' })),
  );
  expect({ code, errors }).toMatchObject({ code: 0 });
  const statements = Number(/statements: (\d+)/.exec(errors)?.[1]);
  expect(statements).toBeGreaterThan(100);
  await whole.remove();

  const data = await makeData({}, 'empty');
  for (let kill = 1; kill <= kills; kill++) {
    const at = Math.ceil((statements * kill) / (kills + 1));
    const killed = start([...add, ...data.source], counting({ KILL_AT_STATEMENT: String(at) }));
    const { errors: said } = await ending(killed);
    expect({ at, signal: killed.signalCode, said }).toEqual({ at, signal: 'SIGKILL', said: '' });
  }
  const served = await serve(...data.source);
  expect((await call(served.url, 'GET', '/_chat/client/versions')).status).toBe(200);
  expect(await served.end('SIGTERM')).toBe(0);
  await data.remove();
});

test('a server and `users add` can create a database at the same time', async () => {
  const data = await makeData({}, 'empty');
  const both = [
    serve(...data.source),
    gatehouse('users', 'add', 'alice', '--password', 'secret', ...data.source),
  ];
  const [served, added] = await Promise.allSettled(both);
  expect([served, added]).toMatchObject([
    { status: 'fulfilled' },
    { status: 'fulfilled', value: { code: 0, errors: '' } },
  ]);
  if (served?.status !== 'fulfilled' || !('end' in served.value)) throw new Error('it does not serve');
  const login = await call(served.value.url, 'POST', '/_chat/client/v3/login', undefined, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: 'alice' },
    password: 'secret',
  });
  expect(login.status).toBe(200);
  await served.value.end('SIGTERM');
  await data.remove();
});
