/** Requests that detect a server's features. */
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Offered, offeredQuery } from '../../renderer/api/supported-endpoints.ts';
import { openDeviceStorage } from '../../renderer/persisted.ts';
import { refusalOf } from '../../renderer/transport/refusal.ts';
import type { Server } from '../../renderer/transport/server.ts';
import type { Connection } from '../../shared/connection.ts';

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
} as unknown as Storage;
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('window', new EventTarget());
});

let met = 0;

/** Returns the features detected for a version without some endpoints, and the requests sent. */
async function meet(
  version: string,
  missing: readonly string[] = [],
  software = 'Synapse',
  mas?: { status: number; body?: unknown },
  statuses: Record<string, number> = {},
  listed?: { administration: string[]; chat: string[] },
) {
  const asked: string[] = [];
  const server = {
    id: `admin@server${++met}`,
    deviceStorage: openDeviceStorage({ local: storage, session: storage }),
    get: async (_schema: unknown, path: string) => {
      if (path === '/v1/server_version') return { server_version: version };
      if (listed) return listed;
      throw refusalOf({ status: 404, body: { errcode: 'M_UNRECOGNIZED' } }, {} as Connection);
    },
    getChat: async (_schema: unknown, path: string) => {
      if (path.endsWith('/version')) return { server: { name: software } };
      asked.push(path);
      const status = missing.includes(path) ? 404 : (statuses[path] ?? 200);
      if (status === 200) return { issuer: 'https://auth.example/' };
      throw refusalOf({ status, body: undefined }, {} as Connection);
    },
    has: async (_api: string, path: string) => {
      asked.push(path);
      const status = statuses[path];
      if (status !== undefined) throw refusalOf({ status, body: undefined }, {} as Connection);
      return !missing.includes(path);
    },
    mas: mas && {
      get: async () => {
        if (mas.status === 200) return mas.body;
        throw refusalOf({ body: undefined, ...mas }, {} as Connection);
      },
    },
  } as unknown as Server;
  const client = new QueryClient();
  const query = offeredQuery(server);
  const offered = await client.fetchQuery(query);
  /** Repeats the query a day later, on another page. */
  const reload = async () => {
    const key = `gatehouse.offered.${server.id}`;
    storage.setItem(key, JSON.stringify({ ...JSON.parse(storage.getItem(key) ?? ''), askedAt: 0 }));
    const deviceStorage = openDeviceStorage({ local: storage, session: storage });
    return new QueryClient().fetchQuery(offeredQuery({ ...server, deviceStorage }));
  };
  /** Repeats the query. Returns the milliseconds that the console waits before each repetition. */
  const repeat = async (times: number) => {
    const waits: unknown[] = [];
    for (let time = 0; time < times; time++) {
      const state = client.getQueryCache().find<Offered>({ queryKey: query.queryKey });
      if (!state || typeof query.refetchInterval !== 'function') throw new Error('It is not repeated');
      waits.push(query.refetchInterval(state as never));
      await client.fetchQuery({ ...query, staleTime: 0 });
    }
    return waits;
  };
  return { offered, asked, repeat, reload };
}

test.each(['1.152.0', '1.160.0', '1.161.0rc1', '1.160.0 (b=develop,abc)'])(
  "on %s only what the version doesn't tell is probed",
  async (version) => {
    const { offered, asked } = await meet(version, ['/v1/room_reports/0']);
    expect(asked).toHaveLength(6);
    expect([...offered]).toEqual(
      expect.arrayContaining(['suspend', 'userReports', 'ban', 'registrationTokens', 'serverNotices']),
    );
    expect(offered.has('roomReports')).toBe(false);
  },
);

test.each(['1.151.0', '0.9.0', '2.0.0', 'develop'])('on %s everything is probed', async (version) => {
  const { offered, asked } = await meet(version, ['/v1/user_reports/0']);
  expect(asked.length).toBeGreaterThan(30);
  expect(offered.has('suspend')).toBe(true);
  expect(offered.has('userReports')).toBe(false);
});

test.each([
  [['/v1/suspend/:user_id', '/v2/rooms/:room_id'], [], ['suspend', 'deleteRoom', 'ownAccounts', 'accounts']],
  [
    ['/v1/suspend', '/v1/reset_password/:user_id'],
    ['/client/v3/rooms/:roomId/ban', '/client/v1/auth_metadata'],
    ['ban'],
  ],
])("a built-in homeserver that lists %j and %j isn't probed", async (administration, chat, expected) => {
  const { offered, asked } = await meet('1.161.0', [], 'Gatehouse', undefined, {}, { administration, chat });
  expect(asked).toEqual([]);
  expect([...offered].sort()).toEqual([...expected].sort());
});

test('an endpoint that only a proxy answers is probed alone, and ever more rarely', async () => {
  const suspend = '/v1/suspend/%40nobody%3Anowhere.invalid';
  const { offered, asked, repeat } = await meet('1.151.0', [], 'Synapse', undefined, { [suspend]: 502 });
  expect(offered.has('ban')).toBe(true);
  expect([...offered.unknown]).toEqual(['suspend']);
  expect(asked.filter((path) => path === suspend)).toHaveLength(1);
  asked.length = 0;
  expect(await repeat(5)).toEqual([15_000, 30_000, 60_000, 120_000, 120_000]);
  expect(new Set(asked)).toEqual(new Set([suspend]));
});

test('the last known support applies while a probe fails', async () => {
  const suspend = '/v1/suspend/%40nobody%3Anowhere.invalid';
  const statuses: Record<string, number> = {};
  const { offered, asked, reload } = await meet('1.151.0', [], 'Synapse', undefined, statuses);
  expect(offered.has('suspend')).toBe(true);
  statuses[suspend] = 500;
  asked.length = 0;
  const later = await reload();
  expect(asked).toContain(suspend);
  expect(later.has('suspend')).toBe(true);
});

test('a server of any version without that list is probed', async () => {
  const { offered, asked } = await meet(
    '1.161.0',
    ['/v1/federation/destinations/nowhere.invalid'],
    'Gatehouse',
  );
  expect(asked.length).toBeGreaterThan(30);
  expect(offered.has('destinations')).toBe(false);
});

test('before Matrix 1.15, Synapse announces delegated authentication on another path', async () => {
  const stable = '/client/v1/auth_metadata';
  const early = '/client/unstable/org.matrix.msc2965/auth_issuer';
  expect((await meet('1.130.0', [stable])).offered.has('accounts')).toBe(false);
  expect((await meet('1.130.1', [stable, early])).offered.has('accounts')).toBe(true);
});

test.each([
  [{ status: 200, body: { password_login_enabled: true } }, true, true],
  [{ status: 200, body: { password_login_enabled: false } }, true, false],
  [{ status: 401, body: { errors: [{ title: 'Missing urn:mas:admin scope' }] } }, false, false],
  [{ status: 403 }, false, false],
  // MAS versions without this endpoint, or a temporary failure.
  [{ status: 404 }, true, true],
  [{ status: 502 }, true, true],
])(
  'if MAS replies %j, account actions are offered: %s, and password actions: %s',
  async (mas, accounts, passwords) => {
    const { offered } = await meet(
      '1.160.0',
      ['/v1/reset_password/%40nobody%3Anowhere.invalid'],
      'Synapse',
      mas,
    );
    expect(offered.has('accounts')).toBe(accounts);
    expect(offered.has('resetPassword')).toBe(passwords);
  },
);

test.each([
  [401, true],
  [403, true],
  [405, true],
  [502, false],
])(
  'if a proxy replies %i to the authentication metadata, account actions are offered: %s',
  async (status, expected) => {
    const statuses = {
      '/client/v1/auth_metadata': status,
      '/client/unstable/org.matrix.msc2965/auth_issuer': status,
    };
    const { offered } = await meet('1.160.0', [], 'Synapse', undefined, statuses);
    expect(offered.has('accounts')).toBe(expected);
  },
);
