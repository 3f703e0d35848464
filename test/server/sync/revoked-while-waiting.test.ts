/** A client that waits for events when its access ends gets an error, not the events. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { openSession } from '../../../server/identity/sessions/sessions.ts';
import { call, type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, say } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

type Member = { userId: string; ask(method: string, at: string, body?: unknown): Promise<Reply> };

async function newUser(localpart: string): Promise<Member> {
  const userId = await createUser(homeserver.services, { localpart });
  const { accessToken } = await openSession(homeserver.services, userId);
  return { userId, ask: (method, at, body) => call(homeserver.url, method, at, accessToken, body) };
}

const account = (userId: string) => `/_service/admin/v2/users/${encodeURIComponent(userId)}`;
const slidingSync = '/_chat/client/unstable/org.matrix.simplified_msc3575/sync';

/** Presence would count as an event. */
const quiet = 'set_presence=offline';

/** Ways to wait for events after a first request. */
const ways: Record<string, (member: Member) => Promise<() => Promise<Reply>>> = {
  async 'a sync'({ ask }) {
    const { next_batch: since } = (await ask('GET', `${path('sync')}?${quiet}`)).body;
    return () => ask('GET', `${path('sync')}?${quiet}&timeout=60000&since=${since}`);
  },
  async 'a sliding sync'({ ask }) {
    const lists = { all: { ranges: [[0, 9]], required_state: [], timeline_limit: 5 } };
    const { pos } = (await ask('POST', `${slidingSync}?${quiet}`, { lists })).body;
    return () =>
      ask('POST', `${slidingSync}?${quiet}&timeout=60000&pos=${encodeURIComponent(pos)}`, { lists });
  },
  async 'a stream of events'({ ask }) {
    const { next_batch: from } = (await ask('GET', `${path('sync')}?${quiet}`)).body;
    return () => ask('GET', `${path('events')}?timeout=60000&from=${from}`);
  },
};
const ends: Record<string, { errcode: string; end(member: Member): Promise<Reply> }> = {
  'is locked': {
    errcode: 'M_USER_LOCKED',
    end: ({ userId }) => homeserver.as('admin').put(account(userId), { locked: true }),
  },
  'is deactivated': {
    errcode: 'M_UNKNOWN_TOKEN',
    end: ({ userId }) => homeserver.as('admin').put(account(userId), { deactivated: true }),
  },
  'logs out': { errcode: 'M_UNKNOWN_TOKEN', end: ({ ask }) => ask('POST', path('logout'), {}) },
};
const cases = Object.keys(ways).flatMap((way) => Object.keys(ends).map((end) => [way, end] as const));

test.each(cases)('%s of a user who %s in the meantime', async (way, end) => {
  const alice = homeserver.as('alice');
  const room = await makeRoom(alice);
  const member = await newUser(`m${cases.findIndex((each) => each[0] === way && each[1] === end)}`);
  expect(await member.ask('POST', path('rooms', room, 'join'), {})).toMatchObject({ status: 200 });
  const wait = await ways[way]?.(member);
  const waiting = wait?.();
  await expect.poll(() => homeserver.services.waiting.underWay).toBe(1);
  expect(await ends[end]?.end(member)).toMatchObject({ status: 200 });
  await say(alice, room, 'behind their back');
  const reply = await waiting;
  expect(reply).toMatchObject({ status: 401, body: { errcode: ends[end]?.errcode } });
  expect(JSON.stringify(reply)).not.toContain('behind their back');
});
