import { expect, test } from 'vitest';
import { roomList } from '../../renderer/api/room-list.ts';
import { userList } from '../../renderer/api/user-list.ts';
import type { DeviceStorage } from '../../renderer/persisted.ts';
import type { ConsoleHost } from '../../renderer/transport/host.ts';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';
import { NoSuchEndpoint, refusalOf } from '../../renderer/transport/refusal.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { connectedServers } from '../../renderer/transport/servers.ts';

const connection = {
  id: 'a',
  baseUrl: 'https://a.example',
  dialect: 'matrix',
  userId: '@a:a.example',
  local: false,
} as const;
const everyone = { order: 'name', dir: 'f' } as const;
const { signal } = new AbortController();

/** Runs a server that rejects queries for which `refuses` returns an error. */
function refusingServer(refuses: (query: URLSearchParams) => string | undefined) {
  const asked: string[] = [];
  const get = async (_schema: unknown, path: string) => {
    asked.push(path);
    const error = refuses(new URL(path, connection.baseUrl).searchParams);
    if (error) throw refusalOf({ status: 400, body: { errcode: 'M_INVALID_PARAM', error } }, connection);
    return { users: [], total: 0 };
  };
  const own = connectedServers({} as ConsoleHost, reachabilityStore(), {} as DeviceStorage).of(connection);
  return { server: { ...own, get } as Server, asked };
}

test('leaves guests out if the server delegates authentication, and asks only once with them', async () => {
  const { server, asked } = refusingServer((query) =>
    query.get('guests') === 'false'
      ? undefined
      : 'The guests parameter is not supported when delegating to MAS.',
  );
  const list = userList(server, everyone);
  expect(await list.fetch(0, 10, signal)).toEqual({ rows: [], total: 0 });
  await userList(server, { ...everyone, search: 'ada' }).fetch(0, 10, signal);
  expect(asked.map((path) => path.includes('guests=false'))).toEqual([false, true, true]);
});

test('only deactivated users are requested if the server can omit the others, else all users', async () => {
  const onlyDeactivated = { ...everyone, onlyDeactivated: true };
  const { server, asked } = refusingServer(() => undefined);
  await userList(server, onlyDeactivated).fetch(0, 10, signal);
  expect(asked).toEqual(['/v3/users?from=0&limit=10&order_by=name&dir=f&deactivated=true']);

  const old = refusingServer(() => undefined);
  const get = async (schema: unknown, path: string) => {
    const page = await old.server.get(schema as never, path);
    if (path.startsWith('/v3/')) throw new NoSuchEndpoint();
    return page;
  };
  const list = userList({ ...old.server, get } as Server, onlyDeactivated);
  await list.fetch(0, 10, signal);
  await list.fetch(10, 10, signal);
  expect(old.asked.map((path) => path.slice(0, 4))).toEqual(['/v3/', '/v2/', '/v2/']);
  expect(new URL(old.asked[1] ?? '', connection.baseUrl).searchParams.get('deactivated')).toBe('true');
});

test('passes on other refusals', async () => {
  const { server, asked } = refusingServer(() => 'Unknown order');
  await expect(userList(server, everyone).fetch(0, 10, signal)).rejects.toThrow('Unknown order');
  expect(asked).toHaveLength(1);
});

test.each([
  ['+49 170 1234567', '/v1/threepid/msisdn/users/491701234567'],
  ['Ada@Example.org', '/v1/threepid/email/users/ada%40example.org'],
  ['oidc-keycloak:f81d/1', '/v1/auth_providers/oidc-keycloak/users/f81d%2F1'],
])('%s is looked up by its exact value', async (search, path) => {
  const asked: string[] = [];
  const get = async (_schema: unknown, each: string) => {
    asked.push(each);
    if (each === path) return { user_id: '@ada:a.example' };
    return { users: [], total: each.includes('user_id') ? 1 : 0 };
  };
  const own = connectedServers({} as ConsoleHost, reachabilityStore(), {} as DeviceStorage).of(connection);
  const server = { ...own, get } as unknown as Server;
  expect(await userList(server, { ...everyone, search }).fetch(0, 10, signal)).toMatchObject({ total: 1 });
  expect(asked).toContain(path);
  expect(asked.at(-1)).toContain('user_id=%40ada%3Aa.example');
});

test('part of a user ID is still found if no provider has it', async () => {
  const asked: string[] = [];
  const get = async (_schema: unknown, path: string) => {
    asked.push(path);
    if (path.includes('auth_providers'))
      throw refusalOf({ status: 404, body: { errcode: 'M_NOT_FOUND', error: '' } }, connection);
    return { users: [], total: 0 };
  };
  const own = connectedServers({} as ConsoleHost, reachabilityStore(), {} as DeviceStorage).of(connection);
  await userList({ ...own, get } as unknown as Server, { ...everyone, search: 'ada:a.ex' }).fetch(
    0,
    10,
    signal,
  );
  expect(asked.at(-1)).toContain('user_id=%40ada%3Aa.ex');
});

test.each(['example.org', 'example.org:8448', '[::1]:8448', 'localhost'])(
  'rooms are found by a full address of %s, or the name in a remote one',
  async (host) => {
    const terms: (string | null)[] = [];
    const get = async (_schema: unknown, path: string) => {
      terms.push(new URL(path, connection.baseUrl).searchParams.get('search_term'));
      return { rooms: [], total: 0 };
    };
    const getChat = async () => ({ room_id: '!found' });
    const server = { id: 'a', connection: { ...connection, userId: `@a:${host}` }, get, getChat };
    for (const search of [`#lobby:${host}`, '#lobby:other.example:1', '#lobby']) {
      await roomList(server as unknown as Server, { search, ...everyone }).fetch(0, 10, signal);
    }
    expect(terms).toEqual(['!found', 'lobby', 'lobby']);
  },
);
