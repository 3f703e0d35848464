import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDeviceListChanges } from '../../../server/conversation/encryption/device-list-changes.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { settledPositions } from '../../../server/platform/database/changes.ts';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { path } from '../rooms/client.ts';
import { crossSigning, crossSigningKey, type Device, deviceKeys, logIn, newKey, signed } from './keys.ts';

const clock = manualClock();
let homeserver: TestHomeserver;
let ada: Device;
let ben: Device;
/** A user who never uploads a valid key. */
let keyless: Device;
const newcomer = async (localpart: string) => {
  await createUser(homeserver.services, { localpart, password: 'secret' });
  return logIn(homeserver, localpart);
};
beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
  [ada, ben, keyless] = [await newcomer('ada'), await newcomer('ben'), await newcomer('keyless')];
});
afterAll(() => homeserver.remove());

const upload = (device: Device, body: object) => device.post(path('keys', 'device_signing', 'upload'), body);
const sign = (device: Device, body: object) => device.post(path('keys', 'signatures', 'upload'), body);
const query = async (device: Device, user: string) =>
  (await device.post(path('keys', 'query'), { device_keys: { [user]: [] } })).body;

type Refused = [string, (userId: string) => object, number, string];
const keyText = Buffer.alloc(32, 7).toString('base64').replace('=', '');

test.each<Refused>([
  [
    'a key that no master key vouches for',
    (userId) => ({ self_signing_key: crossSigning(userId).upload.self_signing_key }),
    400,
    'M_MISSING_PARAM',
  ],
  [
    "another user's key",
    () => ({ master_key: crossSigningKey('@ada:localhost', 'master', newKey()) }),
    400,
    'M_INVALID_PARAM',
  ],
  [
    'a key with another usage',
    (userId) => ({ master_key: crossSigningKey(userId, 'self_signing', newKey()) }),
    400,
    'M_INVALID_PARAM',
  ],
  [
    'two keys in one',
    (userId) => ({
      master_key: {
        ...crossSigningKey(userId, 'master', newKey()),
        keys: { 'ed25519:a': 'a', 'ed25519:b': 'b' },
      },
    }),
    400,
    'M_INVALID_PARAM',
  ],
  ...['', 'key', keyText.slice(1), `${keyText}AAAA`, `!${keyText.slice(1)}`].map(
    (publicKey): Refused => [
      `what is no key: '${publicKey}'`,
      (userId) => ({
        master_key: { user_id: userId, usage: ['master'], keys: { [`ed25519:${publicKey}`]: publicKey } },
      }),
      400,
      'M_INVALID_PARAM',
    ],
  ),
  [
    'no key',
    (userId) => ({ master_key: { user_id: userId, usage: ['master'], keys: {} } }),
    400,
    'M_INVALID_PARAM',
  ],
  ['a key of no use', (userId) => ({ master_key: { user_id: userId, keys: {} } }), 400, 'M_MISSING_PARAM'],
  ['a word', () => ({ master_key: 'x' }), 400, 'M_BAD_JSON'],
  [
    'a key that is not signed',
    (userId) => ({
      ...crossSigning(userId).upload,
      user_signing_key: crossSigningKey(userId, 'user_signing', newKey()),
    }),
    400,
    'M_INVALID_SIGNATURE',
  ],
  [
    "another user's signature",
    (userId) => ({ ...crossSigning(userId).upload, master_key: crossSigningKey(userId, 'master', newKey()) }),
    400,
    'M_INVALID_SIGNATURE',
  ],
])('an upload of %s is refused', async (_, body, status, errcode) => {
  expect(await upload(keyless, body(keyless.userId))).toMatchObject({ status, body: { errcode } });
});

test('the first keys need no password, the same ones neither, others do', async () => {
  const carla = await newcomer('carla');
  const first = crossSigning(carla.userId).upload;
  expect(await upload(carla, first)).toMatchObject({ status: 200, body: {} });
  expect(await upload(carla, first)).toMatchObject({ status: 200, body: {} });
  const other = crossSigning(carla.userId).upload;
  const asked = await upload(carla, other);
  expect(asked).toMatchObject({ status: 401, body: { flows: [{ stages: ['m.login.password'] }] } });
  const auth = (password: string) => ({
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: carla.userId },
    password,
    session: asked.body.session,
  });
  expect((await upload(carla, { ...other, auth: auth('wrong') })).status).toBe(401);
  expect((await query(ada, carla.userId)).master_keys[carla.userId]).toEqual(first.master_key);
  expect(await upload(carla, { ...other, auth: auth('secret') })).toMatchObject({ status: 200 });
  expect((await query(ada, carla.userId)).master_keys[carla.userId]).toEqual(other.master_key);
});

test('an admin lets a user replace the keys once without the password, for a while', async () => {
  const dora = await newcomer('dora');
  const allow = (who: string, userId = dora.userId) =>
    homeserver
      .as(who)
      .post(`/_service/admin/v1/users/${userId}/_allow_cross_signing_replacement_without_uia`, {});
  expect(await allow('admin')).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  expect(await upload(dora, crossSigning(dora.userId).upload)).toMatchObject({ status: 200 });
  expect(await allow('alice')).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
  expect(await allow('admin')).toEqual(
    expect.objectContaining({
      status: 200,
      body: { updatable_without_uia_before_ms: clock.now() + 10 * 60_000 },
    }),
  );
  const next = crossSigning(dora.userId).upload;
  expect(await upload(dora, next)).toMatchObject({ status: 200 });
  expect((await query(ada, dora.userId)).master_keys[dora.userId]).toEqual(next.master_key);
  expect(await upload(dora, crossSigning(dora.userId).upload)).toMatchObject({ status: 401 });
  await allow('admin');
  clock.advance(10 * 60_000);
  expect(await upload(dora, crossSigning(dora.userId).upload)).toMatchObject({ status: 401 });
});

test('a user signs devices and others, and only the signer sees the latter', async () => {
  const { db } = homeserver.services;
  const [own, others] = [crossSigning(ada.userId), crossSigning(ben.userId)];
  await upload(ada, own.upload);
  await upload(ben, others.upload);
  const key = newKey();
  const device = deviceKeys(ada.userId, ada.deviceId, key);
  await ada.post(path('keys', 'upload'), { device_keys: device });
  const { signatures: _, ...bare } = device;
  const bySelfSigning = signed(bare, ada.userId, own.selfSigning.publicKey, own.selfSigning);
  const byDevice = signed(own.upload.master_key, ada.userId, ada.deviceId, key);
  const met = signed(others.upload.master_key, ada.userId, own.userSigning.publicKey, own.userSigning);
  const after = await settledPositions(db);
  const signedThings = {
    [ada.userId]: { [ada.deviceId]: bySelfSigning, [own.master.publicKey]: byDevice },
    [ben.userId]: { [others.master.publicKey]: met },
  };
  expect(await sign(ada, signedThings)).toMatchObject({ status: 200, body: { failures: {} } });

  const news = async (userId: string) =>
    (await readDeviceListChanges(db, { userId, after, upTo: await settledPositions(db) })).changed.sort();
  expect(await news(ada.userId)).toEqual([ada.userId, ben.userId]);
  expect(await news(ben.userId)).toEqual([]);

  const seenByBen = await query(ben, ada.userId);
  expect(seenByBen.device_keys[ada.userId][ada.deviceId].signatures).toEqual({
    [ada.userId]: { ...device.signatures?.[ada.userId], ...bySelfSigning.signatures?.[ada.userId] },
  });
  expect(seenByBen.user_signing_keys).toEqual({});
  const seenByAda = await query(ada, ben.userId);
  expect(seenByAda.master_keys[ben.userId].signatures).toEqual(met.signatures);
  expect((await query(ben, ben.userId)).master_keys[ben.userId].signatures).toBeUndefined();
  const ownOfAda = await query(ada, ada.userId);
  expect(ownOfAda.user_signing_keys[ada.userId]).toEqual(own.upload.user_signing_key);
  expect(ownOfAda.master_keys[ada.userId].signatures).toEqual(byDevice.signatures);

  // A device with replaced keys loses its signatures.
  await ada.post(path('keys', 'upload'), { device_keys: deviceKeys(ada.userId, ada.deviceId, newKey()) });
  const changed = (await query(ben, ada.userId)).device_keys[ada.userId][ada.deviceId].signatures;
  expect(Object.keys(changed[ada.userId])).toEqual([`ed25519:${ada.deviceId}`]);
});

test('replaced keys take their signatures with them', async () => {
  const erin = await newcomer('erin');
  const old = crossSigning(erin.userId);
  await upload(erin, old.upload);
  const device = deviceKeys(erin.userId, erin.deviceId, newKey());
  await erin.post(path('keys', 'upload'), { device_keys: device });
  const { signatures: _, ...bare } = device;
  const signatures = signed(bare, erin.userId, old.selfSigning.publicKey, old.selfSigning);
  expect(await sign(erin, { [erin.userId]: { [erin.deviceId]: signatures } })).toMatchObject({ status: 200 });
  const signers = async () => {
    const { device_keys: keys } = await query(ada, erin.userId);
    return Object.keys(keys[erin.userId][erin.deviceId].signatures[erin.userId]);
  };
  expect(await signers()).toHaveLength(2);
  const allowed = `/_service/admin/v1/users/${erin.userId}/_allow_cross_signing_replacement_without_uia`;
  await homeserver.as('admin').post(allowed, {});
  expect(await upload(erin, crossSigning(erin.userId).upload)).toMatchObject({ status: 200 });
  expect(await signers()).toEqual([`ed25519:${erin.deviceId}`]);
});

test('a wrong signature is refused alone', async () => {
  const [dan, eva] = [await newcomer('dan'), await newcomer('eva')];
  const own = crossSigning(dan.userId);
  const evas = crossSigning(eva.userId);
  await upload(eva, evas.upload);
  await upload(dan, own.upload);
  const key = newKey();
  const device = deviceKeys(dan.userId, dan.deviceId, key);
  await dan.post(path('keys', 'upload'), { device_keys: device });
  const { publicKey } = own.selfSigning;
  const { signatures: _, ...bare } = device;
  const cases: [string, string, object, string][] = [
    [
      dan.userId,
      'NONE',
      signed({ ...bare, device_id: 'NONE' }, dan.userId, publicKey, own.selfSigning),
      'M_NOT_FOUND',
    ],
    [dan.userId, dan.deviceId, bare, 'M_INVALID_SIGNATURE'],
    [dan.userId, dan.deviceId, { ...bare, signatures: 5 }, 'M_INVALID_SIGNATURE'],
    [dan.userId, dan.deviceId, signed(bare, dan.userId, publicKey, own.userSigning), 'M_INVALID_SIGNATURE'],
    [
      dan.userId,
      dan.deviceId,
      signed(bare, dan.userId, own.userSigning.publicKey, own.userSigning),
      'M_INVALID_SIGNATURE',
    ],
    [
      dan.userId,
      dan.deviceId,
      signed({ ...bare, more: 1 }, dan.userId, publicKey, own.selfSigning),
      'M_UNKNOWN',
    ],
    ['@nobody:localhost', 'x', bare, 'M_NOT_FOUND'],
    [
      eva.userId,
      evas.master.publicKey,
      signed(own.upload.master_key, dan.userId, own.userSigning.publicKey, own.userSigning),
      'M_UNKNOWN',
    ],
  ];
  for (const [userId, name, object, errcode] of cases) {
    const { body } = await sign(dan, { [userId]: { [name]: object } });
    expect(body.failures[userId][name], errcode).toMatchObject({ errcode, error: expect.any(String) });
  }
  const good = signed(bare, dan.userId, publicKey, own.selfSigning);
  const { body } = await sign(dan, { [dan.userId]: { [dan.deviceId]: good, NONE: good } });
  expect(body.failures).toEqual({
    [dan.userId]: { NONE: expect.objectContaining({ errcode: 'M_NOT_FOUND' }) },
  });
  expect(await sign(dan, { [dan.userId]: 'x' })).toMatchObject({
    status: 400,
    body: { errcode: 'M_BAD_JSON' },
  });
});
