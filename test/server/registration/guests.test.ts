/** Guests: their permissions, and their removal. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../server/administration/about/openapi.ts';
import { call, type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, say, sendMessage, setState } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  const registration = { enabled: true, requiresToken: false, sharedSecret: undefined };
  homeserver = await startHomeserver({ config: { allowsGuests: true, registration } });
});
afterAll(() => homeserver.remove());

async function newGuest() {
  const { status, body } = await homeserver
    .as('guest')
    .post(`${path('register')}?kind=guest`, { initial_device_display_name: 'Browser', username: 'alice' });
  expect({ status, body }).toMatchObject({ status: 200, body: { user_id: expect.stringMatching(/^@\d+:/) } });
  const send = (method: string) => (to: string, content?: unknown) =>
    call(homeserver.url, method, to, body.access_token, content);
  return {
    userId: body.user_id as string,
    accessToken: body.access_token as string,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    delete: send('DELETE'),
  };
}

const forbidden = { status: 403, body: { errcode: 'M_FORBIDDEN' } };
const alice = () => homeserver.as('alice');
const stateOf = async (room: string, type: string, key: string) =>
  (await alice().get(path('rooms', room, 'state', type, key))).body;
const open = { type: 'm.room.guest_access', state_key: '', content: { guest_access: 'can_join' } };

test('guests may call these endpoints and no others', async () => {
  const guest = await newGuest();
  const document: OpenApiDocument = (await guest.get('/_service/openapi.json')).body;
  const endpoints = Object.entries(document.paths).flatMap(([of, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method]) => ({ of, method: method.toUpperCase() })),
  );
  const isRefused = ({ status, body }: Reply) =>
    status === 403 &&
    (body.errcode === 'M_GUEST_ACCESS_FORBIDDEN' || body.error === 'You are not a server admin');
  const may: string[] = [];
  for (const { of, method } of endpoints) {
    const address = of.replaceAll(/\{[^}]+\}/g, 'x');
    const reply = await call(
      homeserver.url,
      method,
      address,
      guest.accessToken,
      method === 'GET' ? undefined : {},
    );
    if (!isRefused(reply)) may.push(`${method} ${of.replace(/^\/_\w+\//, '').replaceAll(/\{\w+\}/g, 'x')}`);
  }
  const both = (...of: string[]) =>
    of.flatMap((each) => [each.replace(' ', ' client/r0/'), each.replace(' ', ' client/v3/')]);
  const keys = [
    'POST keys/upload',
    'POST keys/query',
    'POST keys/claim',
    'GET keys/changes',
    'POST keys/signatures/upload',
  ];
  const unstable = (each: string) => each.replace(' ', ' client/unstable/');
  const v1 = (each: string) => each.replace(' ', ' client/v1/');
  expect(may.sort()).toEqual(
    [
      ...both('GET account/whoami', 'GET capabilities', 'GET devices', 'GET devices/x', 'PUT devices/x'),
      ...both('GET sync', 'GET events', 'GET joined_rooms', 'GET publicRooms', 'POST publicRooms'),
      ...both(
        'POST join/x',
        'POST rooms/x/join',
        'POST rooms/x/leave',
        'PUT rooms/x/send/x/x',
        'POST rooms/x/send/x',
      ),
      ...both('GET rooms/x/state', 'GET rooms/x/state/x', 'GET rooms/x/state/x/', 'GET rooms/x/state/x/x'),
      ...both('PUT rooms/x/state/x', 'PUT rooms/x/state/x/', 'PUT rooms/x/state/x/x'),
      ...both('GET rooms/x/messages', 'GET rooms/x/event/x', 'GET rooms/x/context/x', 'GET rooms/x/members'),
      ...both('GET rooms/x/initialSync', 'PUT profile/x/displayname', 'DELETE profile/x/displayname'),
      ...both('GET voip/turnServer', 'PUT sendToDevice/x/x', ...keys),
      ...both('GET thirdparty/protocols', 'GET thirdparty/protocol/x'),
      ...both(
        'GET thirdparty/location',
        'GET thirdparty/location/x',
        'GET thirdparty/user',
        'GET thirdparty/user/x',
      ),
      ...[...keys, 'PUT sendToDevice/x/x', 'POST org.matrix.simplified_msc3575/sync'].map(unstable),
      ...['GET rooms/x/hierarchy', 'GET rooms/x/relations/x'].map(v1),
      ...['GET rooms/x/relations/x/x', 'GET rooms/x/relations/x/x/x'].map(v1),
      ...['GET media/download/x/x', 'GET media/download/x/x/x', 'GET media/thumbnail/x/x'].map(v1),
    ].sort(),
  );
});

test('a guest joins where guests may, sends, and leaves when the room forbids guests', async () => {
  const guest = await newGuest();
  expect((await guest.get(path('account', 'whoami'))).body).toMatchObject({ is_guest: true });
  const [closed, room] = [await makeRoom(alice()), await makeRoom(alice(), { initial_state: [open] })];
  expect(await guest.post(path('join', closed), {})).toMatchObject(forbidden);
  await alice().post(path('rooms', closed, 'invite'), { user_id: guest.userId });
  const claim = { membership: 'join', kind: 'user' };
  expect(await guest.put(path('rooms', closed, 'state', 'm.room.member', guest.userId), claim)).toMatchObject(
    forbidden,
  );

  expect((await guest.post(path('join', room), {})).status).toBe(200);
  expect(await stateOf(room, 'm.room.member', guest.userId)).toMatchObject({
    membership: 'join',
    kind: 'guest',
  });
  await say(guest as never, room, 'Hello');
  const redacted = await guest.post(path('rooms', room, 'redact', '$x'), {});
  expect(redacted).toMatchObject({ status: 403, body: { errcode: 'M_GUEST_ACCESS_FORBIDDEN' } });

  await setState(alice(), room, 'm.room.guest_access', { guest_access: 'forbidden' });
  expect(await stateOf(room, 'm.room.member', guest.userId)).toEqual({
    membership: 'leave',
    kind: 'guest',
  });
  expect((await sendMessage(guest as never, room, 'Still here?')).status).toBe(403);
});

test('a guest can peek into a world-readable room', async () => {
  const guest = await newGuest();
  const visibility = {
    type: 'm.room.history_visibility',
    state_key: '',
    content: { history_visibility: 'world_readable' },
  };
  const [shown, hidden] = [await makeRoom(alice(), { initial_state: [visibility] }), await makeRoom(alice())];
  for (const who of [guest, homeserver.as('bob')]) {
    const first = await say(alice(), shown, 'Look');
    const preview = await who.get(`${path('rooms', shown, 'initialSync')}?limit=1`);
    expect(preview).toMatchObject({
      status: 200,
      body: { room_id: shown, messages: { chunk: [{ event_id: first }] } },
    });
    expect(preview.body.state.map(({ type }: { type: string }) => type)).toContain('m.room.create');
    const { end } = preview.body.messages;
    const waiting = who.get(`${path('events')}?room_id=${shown}&from=${end}&timeout=20000`);
    const next = await say(alice(), shown, 'And now');
    expect((await waiting).body.chunk).toMatchObject([{ event_id: next }]);
    const { body } = await who.get(`${path('rooms', shown, 'messages')}?dir=b&limit=1`);
    expect(body.chunk).toMatchObject([{ event_id: next }]);
    for (const of of [path('rooms', hidden, 'initialSync'), `${path('events')}?room_id=${hidden}`]) {
      expect(await who.get(of), of).toMatchObject(forbidden);
    }
  }
  expect(await guest.get(path('events'))).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
});

test('a guest becomes a user of the same name and stays in their rooms', async () => {
  const guest = await newGuest();
  const room = await makeRoom(alice(), { initial_state: [open] });
  await guest.post(path('join', room), {});
  const username = guest.userId.slice(1).split(':')[0];
  const register = (body: object) => homeserver.as('guest').post(path('register'), body);
  const auth = { type: 'm.login.dummy' };
  const whole = { username, password: 'correct horse', guest_access_token: guest.accessToken };
  const other = await newGuest();
  expect(await register({ ...whole, guest_access_token: other.accessToken, auth })).toMatchObject(forbidden);
  expect(await register({ ...whole, guest_access_token: alice().accessToken, auth })).toMatchObject({
    status: 401,
  });
  const { session } = (await register(whole)).body;
  const made = await register({ auth: { ...auth, session } });
  expect(made).toMatchObject({ status: 200, body: { user_id: guest.userId } });
  const whoami = (token: string) => call(homeserver.url, 'GET', path('account', 'whoami'), token);
  expect((await whoami(made.body.access_token)).body).toMatchObject({ is_guest: false });
  expect((await whoami(guest.accessToken)).status).toBe(401);
  const rooms = await call(homeserver.url, 'GET', path('joined_rooms'), made.body.access_token);
  expect(rooms.body.joined_rooms).toEqual([room]);
  const login = { type: 'm.login.password', user: username, password: whole.password };
  expect((await homeserver.as('guest').post(path('login'), login)).status).toBe(200);
});

test('admins see who is a guest and can filter guests out', async () => {
  const guest = await newGuest();
  const list = (query: string) => homeserver.as('admin').get(`/_service/admin/v2/users?${query}`);
  const all = (await list('order_by=is_guest&dir=b')).body;
  const accounts = (await list('guests=false')).body;
  expect(all.users[0]).toMatchObject({ is_guest: true });
  expect(all.users).toContainEqual(expect.objectContaining({ name: guest.userId, is_guest: true }));
  expect(accounts.users).toHaveLength(accounts.total);
  expect(accounts.users.every(({ is_guest }: { is_guest: boolean }) => !is_guest)).toBe(true);
  expect(all.total).toBeGreaterThan(accounts.total);
  const { body } = await homeserver.as('admin').get(`/_service/admin/v2/users/${guest.userId}`);
  expect(body.is_guest).toBe(true);
});
