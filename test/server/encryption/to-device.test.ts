import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  acknowledgeInbox,
  dropOldest,
  readInbox,
} from '../../../server/conversation/encryption/to-device-store.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { settledChangePosition } from '../../../server/platform/database/changes.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver, unlimited } from '../homeserver.ts';
import { path } from '../rooms/client.ts';
import { type Device, deviceKeys, logIn, newKey } from './keys.ts';

let homeserver: TestHomeserver;
let gina: Device;
let hugo: Device;
beforeAll(async () => {
  const keyRequests = { perSecond: 1e-6, burstCount: 2 };
  homeserver = await startHomeserver({ config: { rateLimits: { ...unlimited, keyRequests } } });
  [gina, hugo] = [await newcomer('gina'), await newcomer('hugo')];
});
afterAll(() => homeserver.remove());

async function newcomer(localpart: string): Promise<Device> {
  await createUser(homeserver.services, { localpart, password: 'secret' });
  return logIn(homeserver, localpart, 'PHONE');
}

let transactions = 0;
const send = (messages: unknown, transaction = `t${transactions++}`, type = 'm.test') =>
  hugo.put(path('sendToDevice', type, transaction), { messages });
const inbox = async (device: Device, after = 0, limit = 100) =>
  readInbox(homeserver.services.db, {
    userId: device.userId,
    deviceId: device.deviceId,
    after,
    upTo: await settledChangePosition(homeserver.services.db),
    limit,
  });
const empty = async (device: Device) => {
  const upTo = await settledChangePosition(homeserver.services.db);
  await acknowledgeInbox(homeserver.services.db, { userId: device.userId, deviceId: device.deviceId, upTo });
};

test.each([
  ['nothing', undefined, 400, 'M_MISSING_PARAM'],
  ['a list', [], 400, 'M_BAD_JSON'],
  ['a list of devices', { '@gina:localhost': [] }, 400, 'M_BAD_JSON'],
  ['a word', { '@gina:localhost': { PHONE: 'x' } }, 400, 'M_BAD_JSON'],
  ['too much', { '@gina:localhost': { PHONE: { x: 'x'.repeat(65_536) } } }, 413, 'M_TOO_LARGE'],
])('sending %s is refused', async (_, messages, status, errcode) => {
  expect(await send(messages)).toMatchObject({ status, body: { errcode } });
});

test('a long name is refused', async () => {
  const reply = await send({}, 'x'.repeat(256));
  expect(reply).toMatchObject({ status: 400, body: { errcode: 'M_INVALID_PARAM' } });
});

test('excess key requests are dropped, and nothing else', async () => {
  const ida = await newcomer('ida');
  const ask = (type: string, index: number) => send({ [ida.userId]: { PHONE: { index } } }, undefined, type);
  for (let index = 0; index < 4; index++) {
    expect(await ask('m.room_key_request', index)).toMatchObject({ status: 200 });
  }
  await ask('m.other', 4);
  const { events } = await inbox(ida);
  expect(events.map(({ content }) => content.index)).toEqual([0, 1, 4]);
});

test('a message reaches the named devices once, and missing ones are skipped', async () => {
  const jan = await newcomer('jan');
  const tablet = await logIn(homeserver, 'jan', 'TABLET');
  const nobody = { '@nobody:localhost': { x: {} }, '@far:elsewhere.example': { x: {} }, odd: { x: {} } };
  const messages = { ...nobody, [jan.userId]: { PHONE: { to: 'phone' }, NONE: { to: 'none' } } };
  for (let twice = 0; twice < 2; twice++)
    expect(await send(messages, 'same')).toMatchObject({ status: 200, body: {} });
  await send({ [jan.userId]: { '*': { to: 'all' } } }, 'same', 'm.other');
  const toAll = { type: 'm.other', sender: hugo.userId, content: { to: 'all' } };
  expect((await inbox(jan)).events).toEqual([
    { type: 'm.test', sender: hugo.userId, content: { to: 'phone' } },
    toAll,
  ]);
  expect((await inbox(tablet)).events).toEqual([toAll]);
  await empty(jan);
  expect((await inbox(jan)).events).toEqual([]);
  expect((await inbox(tablet)).events).toEqual([toAll]);
});

test("a device's own message takes precedence over the one for all", async () => {
  const lea = await newcomer('lea');
  const tablet = await logIn(homeserver, 'lea', 'TABLET');
  await send({ [lea.userId]: { '*': { to: 'all' }, PHONE: { to: 'phone' } } });
  const contents = async (device: Device) => (await inbox(device)).events.map(({ content }) => content.to);
  expect(await contents(lea)).toEqual(['phone']);
  expect(await contents(tablet)).toEqual(['all']);
});

test('a long inbox is paginated and keeps the newest messages', async () => {
  const kim = await newcomer('kim');
  for (let at = 0; at < 5; at++) await send({ [kim.userId]: { PHONE: { at } } });
  const contents = ({ events }: Awaited<ReturnType<typeof inbox>>) => events.map(({ content }) => content.at);
  const first = await inbox(kim, 0, 3);
  expect(contents(first)).toEqual([0, 1, 2]);
  expect(contents(await inbox(kim, first.upTo, 3))).toEqual([3, 4]);
  await inTransaction(homeserver.services.db, (tx) =>
    dropOldest(tx, { userId: kim.userId, deviceId: 'PHONE' }, 2),
  );
  expect(contents(await inbox(kim))).toEqual([3, 4]);
});

test('a deleted device has no inbox', async () => {
  const gone = await logIn(homeserver, 'gina', 'GONE');
  await send({ [gina.userId]: { GONE: {} } });
  expect((await inbox(gone)).events).toHaveLength(1);
  await gone.post(path('logout'), {});
  expect((await inbox(gone)).events).toEqual([]);
});

test('a dehydrated device receives messages until replaced', async () => {
  const at = '/_chat/client/unstable/org.matrix.msc3814.v1/dehydrated_device';
  const dehydrated = (deviceId: string) => ({
    device_id: deviceId,
    device_data: { algorithm: 'm.dehydration.v1.olm', pickle: 'x' },
    initial_device_display_name: 'Dehydrated',
    device_keys: { ...deviceKeys(gina.userId, deviceId, newKey()), dehydrated: true },
    one_time_keys: { 'signed_curve25519:Q': { key: 'q' } },
    fallback_keys: { 'signed_curve25519:R': { key: 'r', fallback: true } },
  });
  expect(await gina.get(at)).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  expect(await gina.delete(at, {})).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  expect(await gina.put(at, dehydrated('PHONE'))).toMatchObject({
    status: 400,
    body: { errcode: 'M_INVALID_PARAM' },
  });
  expect(await gina.put(at, { ...dehydrated('DRY'), device_id: 'WET' })).toMatchObject({ status: 400 });
  expect((await gina.put(at, dehydrated('DRY'))).body).toEqual({ device_id: 'DRY' });
  expect((await gina.get(at)).body).toEqual({ device_id: 'DRY', device_data: dehydrated('DRY').device_data });
  const { body } = await hugo.post(path('keys', 'claim'), {
    one_time_keys: { [gina.userId]: { DRY: 'signed_curve25519' } },
  });
  expect(body.one_time_keys[gina.userId].DRY).toEqual({ 'signed_curve25519:Q': { key: 'q' } });

  for (let index = 0; index < 101; index++) await send({ [gina.userId]: { DRY: { index } } });
  const first = (await gina.get(`${at}/DRY/events`)).body;
  expect(first.events).toHaveLength(100);
  const rest = (await gina.get(`${at}/DRY/events?from=${first.next_batch}`)).body;
  expect(rest).toEqual({ events: [{ type: 'm.test', sender: hugo.userId, content: { index: 100 } }] });
  const asked = (await gina.post(`${at}/DRY/events`, { next_batch: first.next_batch })).body;
  expect(asked).toEqual({ ...rest, next_batch: expect.any(String) });
  expect(await gina.get(`${at}/DRY/events?from=x`)).toMatchObject({ status: 400 });
  expect(await gina.get(`${at}/PHONE/events`)).toMatchObject({ status: 403 });
  expect(await hugo.get(`${at}/DRY/events`)).toMatchObject({ status: 404 });

  await gina.put(at, dehydrated('DRIER'));
  expect(await gina.get(path('devices', 'DRY'))).toMatchObject({ status: 404 });
  expect((await gina.get(path('devices', 'DRIER'))).body.display_name).toBe('Dehydrated');
  expect((await gina.delete(at, {})).body).toEqual({ device_id: 'DRIER' });
  expect(await gina.get(path('devices', 'DRIER'))).toMatchObject({ status: 404 });
});
