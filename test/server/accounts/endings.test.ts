/** Data deleted with a device and with an account, as seen by a returning user. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLoginToken } from '../../../server/identity/login/login-tokens.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { newcomer } from './newcomer.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

type Person = Awaited<ReturnType<typeof newcomer>>;

const pusher = {
  kind: 'http',
  app_id: 'app',
  pushkey: 'key',
  app_display_name: 'App',
  device_display_name: 'Phone',
  lang: 'en',
  data: { url: 'https://push.example.org/_matrix/push/v1/notify' },
};

async function signIn({ localpart }: Person, password: string, deviceId: string) {
  const login = { type: 'm.login.password', user: localpart, password, device_id: deviceId };
  const { status, body } = await homeserver.as('guest').post('/_chat/client/v3/login', login);
  expect(status).toBe(200);
  return (path: string) => call(homeserver.url, 'GET', `/_chat/client/v3${path}`, body.access_token);
}

const done = async (reply: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await reply;
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as Record<string, string>;
};

test.each<[string, (person: Person) => Promise<unknown>]>([
  ['signing out', (person) => person.post('/v3/logout', {})],
  ['signing out everywhere', (person) => person.post('/v3/logout/all', {})],
  [
    'removing the device',
    (person) => person.post('/v3/delete_devices', { devices: [person.deviceId], auth: person.auth() }),
  ],
])("%s deletes the device's data", async (how, end) => {
  const person = await newcomer(homeserver, how.replaceAll(' ', '-'));
  const other = await newcomer(homeserver, `${how.replaceAll(' ', '-')}-other`);
  await done(person.post('/v3/pushers/set', { ...pusher, pushkey: how }));
  const messages = { [person.userId]: { [person.deviceId]: { hello: 1 } } };
  await done(other.put('/v3/sendToDevice/org.example/1', { messages }));
  await done(person.put(`/v3/user/${person.userId}/account_data/x`, { kept: true }));
  await done(end(person) as never);

  const get = await signIn(person, 'correct horse', person.deviceId);
  expect((await get('/pushers')).body).toEqual({ pushers: [] });
  expect((await get('/sync')).body.to_device?.events ?? []).toEqual([]);
  expect((await get(`/user/${person.userId}/account_data/x`)).body).toEqual({ kept: true });
});

test("deleting an account deletes its user's own data", async () => {
  const person = await newcomer(homeserver, 'leaving');
  const { userId } = person;
  const bob = homeserver.as('bob');
  const { room_id: room } = await done(bob.post('/_chat/client/v3/createRoom', { preset: 'public_chat' }));
  await done(person.post(`/v3/join/${encodeURIComponent(room ?? '')}`, {}));
  const backup = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: {} };
  await done(person.post('/v3/room_keys/version', backup));
  const { filter_id: filter } = await done(person.post(`/v3/user/${userId}/filter`, { room: {} }));
  await done(person.put(`/v3/user/${userId}/account_data/x`, { a: 1 }));
  await done(person.put(`/v3/user/${userId}/rooms/${room}/tags/u.x`, {}));
  await done(person.put('/v3/pushrules/global/content/word', { pattern: 'word', actions: ['notify'] }));
  await done(person.post('/v3/pushers/set', pusher));
  await done(person.put(`/v3/presence/${userId}/status`, { presence: 'online', status_msg: 'Here' }));
  const token = await createLoginToken(homeserver.services, userId);
  await done(person.post('/v3/account/deactivate', { auth: person.auth() }));
  expect((await bob.get(`/_chat/client/v3/presence/${userId}/status`)).body.status_msg).toBeUndefined();

  const change = (account: object) =>
    done(homeserver.as('admin').put(`/_service/admin/v2/users/${userId}`, account));
  await change({ deactivated: false });
  const login = { type: 'm.login.token', token };
  expect(await homeserver.as('guest').post('/_chat/client/v3/login', login)).toMatchObject({ status: 403 });
  await change({ password: 'again' });
  const get = await signIn(person, 'again', person.deviceId);
  for (const path of [
    '/room_keys/version',
    `/user/${userId}/filter/${filter}`,
    `/user/${userId}/account_data/x`,
    '/pushrules/global/content/word',
  ]) {
    expect(await get(path), path).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  }
  expect((await get('/pushers')).body).toEqual({ pushers: [] });
  expect((await get(`/user/${userId}/rooms/${room}/tags`)).body).toEqual({ tags: {} });
});
