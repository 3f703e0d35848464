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
});
