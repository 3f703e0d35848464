import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDeviceListChanges } from '../../../server/conversation/encryption/device-list-changes.ts';
import { readKeyCounts } from '../../../server/conversation/encryption/one-time-key-store.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { settledPositions } from '../../../server/platform/database/changes.ts';
import { until } from '../../until.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path } from '../rooms/client.ts';
import { type Device, deviceKeys, logIn, newKey } from './keys.ts';

let homeserver: TestHomeserver;
let dora: Device;
let erik: Device;
beforeAll(async () => {
  homeserver = await startHomeserver();
  for (const localpart of ['dora', 'erik', 'frida']) {
    await createUser(homeserver.services, { localpart, password: 'secret' });
  }
  [dora, erik] = await Promise.all([logIn(homeserver, 'dora', 'ONE'), logIn(homeserver, 'erik')]);
});
afterAll(() => homeserver.remove());

const upload = (device: Device, body: object) => device.post(path('keys', 'upload'), body);
const query = (device: Device, ...users: string[]) =>
  device.post(path('keys', 'query'), { device_keys: Object.fromEntries(users.map((user) => [user, []])) });
const claim = (device: Device, of: Device, algorithm = 'signed_curve25519') =>
  device.post(path('keys', 'claim'), { one_time_keys: { [of.userId]: { [of.deviceId]: algorithm } } });
const claimed = async (device: Device, of: Device) =>
  Object.keys((await claim(device, of)).body.one_time_keys[of.userId]?.[of.deviceId] ?? {});
const oneTimeKeys = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`signed_curve25519:${name}`, { key: name, signatures: {} }]));

test.each<[string, (device: Device) => object | string, number, string]>([
  [
    'another user',
    ({ deviceId }) => ({ device_keys: deviceKeys('@erik:localhost', deviceId, newKey()) }),
    400,
    'M_BAD_JSON',
  ],
  [
    'another device',
    ({ userId }) => ({ device_keys: deviceKeys(userId, 'OTHER', newKey()) }),
    400,
    'M_BAD_JSON',
  ],
  ['an empty device', () => ({ device_keys: {} }), 400, 'M_MISSING_PARAM'],
  ['a word for keys', () => ({ device_keys: 'x' }), 400, 'M_BAD_JSON'],
  ['a list of one-time keys', () => ({ one_time_keys: [] }), 400, 'M_BAD_JSON'],
  ['a number for a key', () => ({ one_time_keys: { 'a:b': 5 } }), 400, 'M_BAD_JSON'],
  ['a key without algorithm', () => ({ one_time_keys: { ab: 'x' } }), 400, 'M_BAD_JSON'],
  ['a long key', () => ({ one_time_keys: { 'a:b': 'x'.repeat(9000) } }), 413, 'M_TOO_LARGE'],
  ['a long name', () => ({ fallback_keys: { [`a:${'b'.repeat(300)}`]: 'x' } }), 400, 'M_BAD_JSON'],
  [
    'a thousand and one keys',
    () => ({ one_time_keys: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`a:${at}`, 'x'])) }),
    400,
    'M_BAD_JSON',
  ],
  [
    'a device with too much data',
    ({ userId, deviceId }) => ({
      device_keys: { ...deviceKeys(userId, deviceId, newKey()), more: 'x'.repeat(70_000) },
    }),
    413,
    'M_TOO_LARGE',
  ],
])('an upload of %s is refused', async (_, body, status, errcode) => {
  expect(await dora.post(path('keys', 'upload'), body(dora))).toMatchObject({ status, body: { errcode } });
});

test('an access token without a device has no keys', async () => {
  const login = await homeserver.as('admin').post('/_service/admin/v1/users/@frida:localhost/login', {});
  const token = login.body.access_token;
  expect(
    await call(homeserver.url, 'POST', path('keys', 'upload'), token, { one_time_keys: {} }),
  ).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
});

test("device keys are shown to others with the device's display name", async () => {
  const keys = deviceKeys(dora.userId, dora.deviceId, newKey());
  const uploaded = await upload(dora, {
    device_keys: { ...keys, unsigned: { device_display_name: 'forged' } },
  });
  expect(uploaded).toMatchObject({ status: 200, body: { one_time_key_counts: { signed_curve25519: 0 } } });
  await dora.put(path('devices', dora.deviceId), { display_name: 'Telephone' });
  const { body } = await query(erik, dora.userId, '@nobody:localhost', 'odd', '@far:elsewhere.example');
  expect(body).toEqual({
    device_keys: {
      [dora.userId]: { ONE: { ...keys, unsigned: { device_display_name: 'Telephone' } } },
      '@nobody:localhost': {},
    },
    failures: { 'elsewhere.example': { status: 503, message: expect.any(String) } },
    master_keys: {},
    self_signing_keys: {},
    user_signing_keys: {},
  });
  const one = (deviceId: string) =>
    erik.post('/_chat/client/r0/keys/query', { device_keys: { [dora.userId]: [deviceId] } });
  expect(Object.keys((await one('ONE')).body.device_keys[dora.userId])).toEqual(['ONE']);
  expect((await one('TWO')).body.device_keys[dora.userId]).toEqual({});
});

test('a one-time key keeps its content and is claimed once, oldest first', async () => {
  const phone = await logIn(homeserver, 'erik', 'PHONE');
  const keys = oneTimeKeys('A', 'B');
  expect((await upload(phone, { one_time_keys: keys })).body.one_time_key_counts).toEqual({
    signed_curve25519: 2,
  });
  const uploadedAt = Date.now();
  const signedAgain = { 'signed_curve25519:A': { key: 'A', signatures: { x: { y: 'z' } } } };
  expect(
    (await upload(phone, { one_time_keys: signedAgain })).body.one_time_key_counts.signed_curve25519,
  ).toBe(2);
  const other = { ...oneTimeKeys('C'), 'signed_curve25519:A': { key: 'other' } };
  expect(await upload(phone, { one_time_keys: other })).toMatchObject({
    status: 400,
    body: { errcode: 'M_UNKNOWN', error: expect.stringMatching('signed_curve25519:A already exists') },
  });
  expect((await claim(dora, phone)).body).toEqual({
    one_time_keys: {
      [phone.userId]: { [phone.deviceId]: { 'signed_curve25519:A': keys['signed_curve25519:A'] } },
    },
    failures: {},
  });
  await until(() => expect(Date.now()).toBeGreaterThan(uploadedAt));
  await upload(phone, { one_time_keys: oneTimeKeys('AA') });
  expect(await claimed(dora, phone)).toEqual(['signed_curve25519:B']);
  expect(await claimed(dora, phone)).toEqual(['signed_curve25519:AA']);
  expect(await claimed(dora, phone)).toEqual([]);
  expect(await claim(dora, phone, 'unheard-of')).toMatchObject({ status: 200, body: { one_time_keys: {} } });
});

test('a claim of no keys returns none', async () => {
  expect(await dora.post(path('keys', 'claim'), {})).toMatchObject({
    status: 200,
    body: { one_time_keys: {}, failures: {} },
  });
});

test('a fallback key is used when nothing else is left, until it is replaced', async () => {
  const tablet = await logIn(homeserver, 'erik', 'TABLET');
  const fallback = (name: string) => ({
    fallback_keys: { [`signed_curve25519:${name}`]: { key: name, fallback: true, signatures: {} } },
  });
  const unused = async () => (await readKeyCounts(homeserver.services.db, tablet)).unusedFallbackKeys;
  await upload(tablet, { ...fallback('F'), one_time_keys: oneTimeKeys('D') });
  expect(await unused()).toEqual(['signed_curve25519']);
  expect(await claimed(dora, tablet)).toEqual(['signed_curve25519:D']);
  expect(await unused()).toEqual(['signed_curve25519']);
  for (let again = 0; again < 2; again++)
    expect(await claimed(dora, tablet)).toEqual(['signed_curve25519:F']);
  expect(await unused()).toEqual([]);
  await upload(tablet, fallback('F'));
  expect(await unused()).toEqual([]);
  await upload(tablet, fallback('G'));
  expect(await unused()).toEqual(['signed_curve25519']);
});

test('keys claimed concurrently are each claimed once', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `L${at}`);
  const loaded = await logIn(homeserver, 'erik', 'LOADED');
  await upload(loaded, { one_time_keys: oneTimeKeys(...names) });
  const got = await Promise.all(Array.from({ length: 50 }, () => claimed(dora, loaded)));
  expect(got.flat().sort()).toEqual(names.map((name) => `signed_curve25519:${name}`).sort());
});

test('members of a shared encrypted room see changed devices, and those who leave are dropped', async () => {
  const { db } = homeserver.services;
  const frida = await logIn(homeserver, 'frida');
  let place = await settledPositions(db);
  const news = async (userId: string) => {
    const upTo = await settledPositions(db);
    return readDeviceListChanges(db, { userId, after: place, upTo });
  };
  const roomId = await makeRoom(frida);
  await change(dora, roomId, 'join');
  await upload(frida, { device_keys: deviceKeys(frida.userId, frida.deviceId, newKey()) });
  expect(await news(dora.userId)).toEqual({ changed: [], left: [] });
  expect(await news(frida.userId)).toEqual({ changed: [frida.userId], left: [] });

  await frida.put(path('rooms', roomId, 'state', 'm.room.encryption', ''), {
    algorithm: 'm.megolm.v1.aes-sha2',
  });
  expect(await news(dora.userId)).toEqual({ changed: [frida.userId], left: [] });
  place = await settledPositions(db);
  await change(erik, roomId, 'join');
  expect(await news(dora.userId)).toEqual({ changed: [erik.userId], left: [] });
  expect((await news(erik.userId)).changed.sort()).toEqual([dora.userId, frida.userId]);
  place = await settledPositions(db);
  await erik.put(path('profile', erik.userId, 'displayname'), { displayname: 'Erik the Red' });
  expect(await news(dora.userId)).toEqual({ changed: [], left: [] });

  const gone = await logIn(homeserver, 'frida', 'GONE');
  await upload(gone, {
    device_keys: deviceKeys(frida.userId, 'GONE', newKey()),
    one_time_keys: oneTimeKeys('Z'),
  });
  expect(await news(dora.userId)).toEqual({ changed: [frida.userId], left: [] });
  place = await settledPositions(db);
  await gone.post(path('logout'), {});
  expect(await news(dora.userId)).toEqual({ changed: [frida.userId], left: [] });
  expect(Object.keys((await query(dora, frida.userId)).body.device_keys[frida.userId])).toEqual([
    frida.deviceId,
  ]);
  expect(await claimed(dora, gone)).toEqual([]);

  place = await settledPositions(db);
  await change(frida, roomId, 'leave');
  expect(await news(dora.userId)).toEqual({ changed: [], left: [frida.userId] });
  expect((await news(frida.userId)).left.sort()).toEqual([dora.userId, erik.userId]);
});

test('changes since a token are complete up to now, regardless of the given end', async () => {
  const { db } = homeserver.services;
  const { events, changes } = await settledPositions(db);
  const asked = (query: string) => dora.get(`${path('keys', 'changes')}?${query}`);
  await upload(dora, { device_keys: deviceKeys(dora.userId, dora.deviceId, newKey()) });
  const from = `s${events}_${changes}`;
  for (const to of ['', `&to=${from}`, '&to=', '&to=nowhere']) {
    expect(await asked(`from=${from}${to}`)).toMatchObject({
      status: 200,
      body: { changed: [dora.userId], left: [] },
    });
  }
  expect(await asked('')).toMatchObject({ status: 400, body: { errcode: 'M_MISSING_PARAM' } });
  expect(await asked('from=x')).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
});
