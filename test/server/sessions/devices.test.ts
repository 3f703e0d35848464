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

/** Creates a user for one test. */
const newPerson = () => newcomer(homeserver, `person-${people++}`);
let people = 0;

const longName = { display_name: 'x'.repeat(101) };

describe('devices', () => {
  test('are listed, read, renamed and removed', async () => {
    const person = await newPerson();
    const other = await person.session();
    const { body } = await person.get('/v3/devices');
    expect(body.devices).toHaveLength(2);
    expect(body.devices).toContainEqual({
      user_id: person.userId,
      device_id: person.deviceId,
      display_name: null,
      last_seen_ts: clock.now(),
      last_seen_ip: '127.0.0.1',
    });
    const path = `/v3/devices/${other.deviceId}`;
    expect(await person.put(path, { display_name: 'Phone' })).toMatchObject({ status: 200, body: {} });
    // Some clients send null instead of omitting a field.
    expect(await person.put(path, { display_name: null })).toMatchObject({ status: 200, body: {} });
    expect((await person.get(path)).body).toMatchObject({ display_name: 'Phone' });

    expect((await person.delete(path)).status).toBe(401);
    expect(await person.delete(path, { auth: person.auth() })).toMatchObject({ status: 200, body: {} });
    expect((await other.get('/v3/account/whoami')).status).toBe(401);
    expect((await person.get(path)).status).toBe(404);
  });

  test('are removed together', async () => {
    const person = await newPerson();
    const [second, third] = [await person.session(), await person.session()];
    const devices = [second.deviceId, third.deviceId, 'nothing'];
    expect((await person.post('/v3/delete_devices', { devices })).status).toBe(401);
    expect((await person.post('/v3/delete_devices', { devices, auth: person.auth() })).status).toBe(200);
    expect((await person.get('/v3/devices')).body.devices).toHaveLength(1);
  });

  test.each<[string, 'get' | 'put' | 'post', string, unknown, number, string]>([
    ['none', 'get', '/v3/devices/none', undefined, 404, 'M_NOT_FOUND'],
    ['renaming a missing one', 'put', '/v3/devices/none', { display_name: 'x' }, 404, 'M_NOT_FOUND'],
    ['removing the name of a missing one', 'put', '/v3/devices/none', {}, 404, 'M_NOT_FOUND'],
    ["a name that isn't a string", 'put', '/v3/devices/none', { display_name: 5 }, 400, 'M_BAD_JSON'],
    ['a long name', 'put', '/v3/devices/none', longName, 400, 'M_TOO_LARGE'],
    ['no list', 'post', '/v3/delete_devices', {}, 400, 'M_MISSING_PARAM'],
    ['a list of numbers', 'post', '/v3/delete_devices', { devices: [5] }, 400, 'M_BAD_JSON'],
  ])('refuse %s', async (_, method, path, body, status, errcode) => {
    const reply = await homeserver.as('alice')[method](`/_matrix/client${path}`, body);
    expect(reply).toMatchObject({ status, body: { errcode } });
  });

  test('belong to their user alone', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    expect((await other.get(`/v3/devices/${person.deviceId}`)).status).toBe(404);
    await other.delete(`/v3/devices/${person.deviceId}`, { auth: other.auth() });
    expect((await person.get('/v3/account/whoami')).status).toBe(200);
  });
});

describe('as an admin, devices of others', () => {
  const admin = '/_service/admin/v2/users';
  const boss = () => homeserver.as('admin');

  test('are listed, renamed, and removed without a password', async () => {
    const person = await newPerson();
    const other = await person.session();
    await person.get('/v3/account/whoami');
    const at = `${admin}/${person.userId}`;
    const { body } = await boss().get(`${at}/devices`);
    expect(body).toMatchObject({ total: 2 });
    expect(body.devices).toContainEqual({
      user_id: person.userId,
      device_id: person.deviceId,
      display_name: null,
      last_seen_ts: clock.now(),
      last_seen_ip: '127.0.0.1',
    });

    const one = `${at}/devices/${other.deviceId}`;
    expect(await boss().put(one, { display_name: 'Phone' })).toMatchObject({ status: 200, body: {} });
    expect(await boss().put(one, {})).toMatchObject({ status: 200, body: {} });
    expect((await boss().get(one)).body).toMatchObject({ user_id: person.userId, display_name: 'Phone' });
    expect(await boss().delete(one)).toMatchObject({ status: 200, body: {} });
    expect((await boss().delete(one)).status).toBe(200);
    expect((await other.get('/v3/account/whoami')).status).toBe(401);

    const devices = [person.deviceId, 'nothing'];
    expect(await boss().post(`${at}/delete_devices`, { devices })).toMatchObject({ status: 200, body: {} });
    expect((await person.get('/v3/account/whoami')).status).toBe(401);
    expect((await boss().get(`${at}/devices`)).body).toEqual({ devices: [], total: 0 });
  });

  test.each<[string, 'get' | 'put' | 'post' | 'delete', string, unknown, number, string]>([
    ['of an unknown user', 'get', '/@nobody:localhost/devices', undefined, 404, 'M_NOT_FOUND'],
    [
      'of an unknown user, to remove',
      'delete',
      '/@nobody:localhost/devices/x',
      undefined,
      404,
      'M_NOT_FOUND',
    ],
    ['of a stranger', 'get', '/@x:elsewhere.example/devices', undefined, 400, 'M_UNKNOWN'],
    ['of a stranger', 'post', '/@x:elsewhere.example/delete_devices', { devices: [] }, 400, 'M_UNKNOWN'],
    ['missing ones', 'get', '/@alice:localhost/devices/none', undefined, 404, 'M_NOT_FOUND'],
    ['missing ones', 'put', '/@alice:localhost/devices/none', { display_name: 'x' }, 404, 'M_NOT_FOUND'],
    ['a long name', 'put', '/@alice:localhost/devices/none', longName, 400, 'M_TOO_LARGE'],
    ['no list', 'post', '/@alice:localhost/delete_devices', {}, 400, 'M_MISSING_PARAM'],
    ['a list of numbers', 'post', '/@alice:localhost/delete_devices', { devices: [5] }, 400, 'M_BAD_JSON'],
  ])('are refused: %s', async (_, method, path, body, status, errcode) => {
    expect(await boss()[method](admin + path, body)).toMatchObject({ status, body: { errcode } });
  });
});
