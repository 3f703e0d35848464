import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { newcomer } from '../accounts/newcomer.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const clock = manualClock();
let homeserver: TestHomeserver;

beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
});
afterAll(() => homeserver.remove());

describe.each([
  ['vendor', '/_service/admin'],
  ['matrix', '/_synapse/admin'],
])('in the %s dialect', (_, at) => {
  test.each<[string, string, string, number, string]>([
    ['an unknown user', 'admin', '/v1/whois/@x:elsewhere.example', 400, 'M_UNKNOWN'],
    ['another user, to a user', 'alice', '/v1/whois/@bob:localhost', 403, 'M_FORBIDDEN'],
  ])('refuses %s', async (_, caller, path, status, errcode) => {
    const reply = await homeserver.as(caller).get(at + path);
    expect(reply).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });
});

describe('whois', () => {
  test('lists addresses, also for the user', async () => {
    const person = await newcomer(homeserver, 'seen');
    clock.advance(120_000);
    await person.get('/v3/account/whoami');
    const expected = {
      user_id: person.userId,
      devices: {
        '': {
          sessions: [
            { connections: [{ ip: '127.0.0.1', last_seen: clock.now(), user_agent: expect.any(String) }] },
          ],
        },
      },
    };
    expect((await homeserver.as('admin').get(`/_service/admin/v1/whois/${person.userId}`)).body).toEqual(
      expected,
    );
    expect((await person.get(`/v3/admin/whois/${person.userId}`)).body).toEqual(expected);
    expect((await person.get('/v3/admin/whois/@alice:localhost')).status).toBe(403);
    expect(
      (await homeserver.as('admin').get('/_service/admin/v2/users/@seen:localhost')).body.last_seen_ts,
    ).toBe(clock.now());
    expect((await homeserver.as('admin').get(`/_service/admin/v1/whois/@nobody:localhost`)).body).toEqual({
      user_id: '@nobody:localhost',
      devices: { '': { sessions: [{ connections: [] }] } },
    });
  });

  test('lists the fifty latest connections of the last four weeks, newest first', async () => {
    const person = await newcomer(homeserver, 'wanderer');
    const connectFrom = (agent: string) =>
      fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
        headers: { authorization: `Bearer ${person.token}`, 'user-agent': agent },
      });
    const agents = async () => {
      const { body } = await homeserver.as('admin').get(`/_service/admin/v1/whois/${person.userId}`);
      return body.devices[''].sessions[0].connections.map((each: { user_agent: string }) => each.user_agent);
    };
    const names = Array.from({ length: 55 }, (_, index) => `client ${index}`);
    for (const name of names) {
      clock.advance(1);
      await connectFrom(name);
    }
    expect(await agents()).toEqual(names.slice(-50).reverse());
    clock.advance(28 * 24 * 3_600_000 - 1);
    await connectFrom('later');
    expect(await agents()).toEqual(['later', 'client 54']);
  });
});
