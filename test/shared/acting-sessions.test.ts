import { expect, test } from 'vitest';
import { actingSessions, longestActing } from '../../shared/acting-sessions.ts';
import type { Connection, OutgoingRequest } from '../../shared/connection.ts';

const connection: Connection = {
  id: 'one',
  baseUrl: 'https://chat.example.org',
  dialect: 'vendor',
  userId: '@admin:example.org',
  local: false,
};

/** Returns recorded requests to a server that issues tokens to its admin, and the copied tokens. */
function stage(copy?: () => void, logout = { status: 200, body: {} as object }) {
  const asked: OutgoingRequest[] = [];
  const copied: string[] = [];
  const acting = actingSessions({
    authorized: (_, attempt) => attempt({ connection, accessToken: 'own' }),
    send: async (request) => {
      asked.push(request);
      if (request.method === 'GET') return { status: 405, body: { errcode: 'M_UNRECOGNIZED', error: 'no' } };
      return request.url.endsWith('/logout') ? logout : { status: 200, body: { access_token: 'borrowed' } };
    },
    copy(text) {
      copy?.();
      copied.push(text);
    },
    now: () => 1_000,
  });
  return { acting, asked, copied };
}

test('a token is created for a time, copied once, and ended', async () => {
  const { acting, asked, copied } = stage();
  expect(await acting.isOffered('one')).toBe(true);
  const session = await acting.begin('one', '@a/b:example.org', 15);
  expect(session).toEqual({ id: '1', until: 1_000 + 15 * 60_000 });
  await acting.copyToken('1');
  await expect(acting.copyToken('1')).rejects.toThrow('already copied');
  expect(copied).toEqual(['borrowed']);
  await acting.end('1');
  await expect(acting.end('1')).rejects.toThrow('no longer available');
  expect(asked.slice(1)).toMatchObject([
    {
      method: 'POST',
      url: 'https://chat.example.org/_service/admin/v1/users/%40a%2Fb%3Aexample.org/login',
      accessToken: 'own',
      body: { valid_until_ms: session.until },
    },
    { method: 'POST', url: 'https://chat.example.org/_chat/client/v3/logout', accessToken: 'borrowed' },
  ]);
});

test('a token that has expired is ended, and one that the server keeps is not', async () => {
  const expired = stage(undefined, { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'no' } }).acting;
  await expired.begin('one', '@a:example.org', 1);
  await expired.end('1');
  await expect(expired.end('1')).rejects.toThrow('no longer available');
  const kept = stage(undefined, { status: 500, body: { errcode: 'M_UNKNOWN', error: 'no' } }).acting;
  await kept.begin('one', '@a:example.org', 1);
  for (let attempt = 0; attempt < 2; attempt++) await expect(kept.end('1')).rejects.not.toThrow('no longer');
});

test("a token that couldn't be copied can be copied again", async () => {
  let isDenied = true;
  const { acting, copied } = stage(() => {
    if (isDenied) throw new Error('denied');
  });
  await acting.begin('one', '@a:example.org', longestActing);
  await expect(acting.copyToken('1')).rejects.toThrow('denied');
  isDenied = false;
  await acting.copyToken('1');
  expect(copied).toEqual(['borrowed']);
});

test.each([0, -1, longestActing + 1, Number.NaN])(
  '%s minutes are refused before any request',
  async (minutes) => {
    const { acting, asked } = stage();
    await expect(acting.begin('one', '@a:example.org', minutes)).rejects.toThrow('one day at most');
    expect(asked).toEqual([]);
  },
);
