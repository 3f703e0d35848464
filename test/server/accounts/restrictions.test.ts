import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');

describe.each([
  ['vendor', '/_chat/client/v3', '/_service/admin'],
  ['matrix', '/_matrix/client/v3', '/_synapse/admin'],
])('in the %s dialect', (dialect, chat, administration) => {
  let room: string;
  let other: string;

  const as = (who: string) => {
    const caller = homeserver.as(who);
    return {
      post: (path: string, body: unknown = {}) => caller.post(chat + path, body),
      put: (path: string, body: unknown = {}) => caller.put(chat + path, body),
      get: (path: string) => caller.get(chat + path),
    };
  };
  const text = { msgtype: 'm.text', body: 'hello' };
  /** Creates a user and joins them to the room. */
  const join = async (localpart: string) => {
    const { userId } = await homeserver.add(localpart);
    await as(localpart).post(`/rooms/${room}/join`);
    return userId;
  };
  const eventsOf = async (who: string) => {
    const { body } = await as(who).get(`/rooms/${room}/messages?dir=b&limit=200`);
    return body.chunk.map((event: { event_id: string }) => event.event_id) as string[];
  };

  beforeAll(async () => {
    room = (await as('alice').post('/createRoom', { preset: 'public_chat' })).body.room_id;
    await as('bob').post(`/rooms/${room}/join`);
    other = (await as('alice').put(`/rooms/${room}/send/m.room.message/other`, text)).body.event_id;
  });

  describe('a suspended user', () => {
    const suspend = (suspended: boolean, userId = '@bob:localhost') =>
      admin().put(`${administration}/v1/suspend/${userId}`, { suspend: suspended });

    beforeAll(async () => {
      expect((await suspend(true)).body).toEqual({ 'user_@bob:localhost_suspended': true });
    });
    afterAll(() => suspend(false));

    test.each<[string, 'post' | 'put', () => string, unknown, RegExp]>([
      ['send', 'put', () => `/rooms/${room}/send/m.room.message/1`, text, /^Sending messages/],
      ['set state', 'put', () => `/rooms/${room}/state/m.room.topic/`, { topic: 'x' }, /^Sending messages/],
      ['set state', 'put', () => `/rooms/${room}/state/org.x`, { x: 1 }, /^Sending messages/],
      [
        'join by setting state',
        'put',
        () => `/rooms/${room}/state/m.room.member/@bob:localhost`,
        { membership: 'join', displayname: 'x' },
        /^Joining rooms/,
      ],
      [
        'invite by setting state',
        'put',
        () => `/rooms/${room}/state/m.room.member/@carol:localhost`,
        { membership: 'invite' },
        /^Sending invites/,
      ],
      [
        'ban by setting state',
        'put',
        () => `/rooms/${room}/state/m.room.member/@alice:localhost`,
        { membership: 'ban' },
        /^Changing membership/,
      ],
      ['make a room', 'post', () => '/createRoom', {}, /^Sending messages/],
      ['join', 'post', () => `/join/${room}`, {}, /^Joining rooms/],
      ['join', 'post', () => `/rooms/${room}/join`, {}, /^Joining rooms/],
      ['knock', 'post', () => `/knock/${room}`, {}, /^Knocking on rooms/],
      ['invite', 'post', () => `/rooms/${room}/invite`, { user_id: '@carol:localhost' }, /^Sending invites/],
      ['kick', 'post', () => `/rooms/${room}/kick`, { user_id: '@alice:localhost' }, /^Changing membership/],
      ['ban', 'post', () => `/rooms/${room}/ban`, { user_id: '@alice:localhost' }, /^Changing membership/],
      [
        'change the name',
        'put',
        () => '/profile/@bob:localhost/displayname',
        { displayname: 'x' },
        /^Updating/,
      ],
      [
        'change the avatar',
        'put',
        () => '/profile/@bob:localhost/avatar_url',
        { avatar_url: '' },
        /^Updating/,
      ],
      ['redact others', 'put', () => `/rooms/${room}/redact/${other}/1`, {}, /only redact your own/],
      [
        'redact others by another way',
        'put',
        () => `/rooms/${room}/send/m.room.redaction/2`,
        { redacts: '$nothing' },
        /only redact your own/,
      ],
    ])('may not %s', async (_, method, path, body, sentence) => {
      expect(await as('bob')[method](path(), body)).toMatchObject({
        status: 403,
        body: { errcode: 'M_USER_SUSPENDED', error: expect.stringMatching(sentence) },
      });
    });

    test('may read, report, redact their own events and leave, and write again once unsuspended', async () => {
      const who = `suspended-${dialect}`;
      const userId = await join(who);
      const own = (await as(who).put(`/rooms/${room}/send/m.room.message/own`, text)).body.event_id;
      await suspend(true, userId);
      expect((await as(who).get(`/rooms/${room}/messages`)).status).toBe(200);
      expect((await as(who).get('/account/whoami')).status).toBe(200);
      expect((await as(who).post(`/rooms/${room}/report/${other}`, { reason: 'x' })).status).toBe(200);
      expect((await as(who).put(`/rooms/${room}/redact/${own}/3`)).status).toBe(200);
      expect((await as(who).post(`/rooms/${room}/leave`)).status).toBe(200);
      await suspend(false, userId);
      expect((await as(who).post(`/rooms/${room}/join`)).status).toBe(200);
      expect((await as(who).put(`/rooms/${room}/send/m.room.message/4`, text)).status).toBe(200);
    });
  });

  describe('a shadow-banned user', () => {
    const ban = (userId = '@bob:localhost') => `${administration}/v1/users/${userId}/shadow_ban`;
    beforeAll(async () => {
      expect((await admin().post(ban())).body).toEqual({});
    });
    afterAll(() => admin().delete(ban()));

    test.each<[string, 'post' | 'put', () => string, unknown]>([
      ['messages', 'put', () => `/rooms/${room}/send/m.room.message/5`, text],
      ['messages to nowhere', 'put', () => '/rooms/!none:localhost/send/m.room.message/6', text],
      ['redactions', 'put', () => `/rooms/${room}/redact/${other}/7`, {}],
      ['state', 'put', () => `/rooms/${room}/state/m.room.topic/`, { topic: 'x' }],
      ['state', 'put', () => `/rooms/${room}/state/org.x/key`, { x: 1 }],
      [
        'invitations',
        'put',
        () => `/rooms/${room}/state/m.room.member/@carol:localhost`,
        { membership: 'invite' },
      ],
    ])('seems to send %s', async (_, method, to, body) => {
      const before = await eventsOf('alice');
      const reply = await as('bob')[method](to(), body);
      expect(reply).toMatchObject({
        status: 200,
        body: { event_id: expect.stringMatching(/^\$[\w-]{43}$/) },
      });
      expect(await eventsOf('alice')).toEqual(before);
      const path = `/rooms/${room}/event/${encodeURIComponent(reply.body.event_id)}`;
      expect((await as('bob').get(path)).status).toBe(404);
    });

    test('seems to send a message once, even if it is sent repeatedly', async () => {
      const send = async (transaction: string) =>
        (await as('bob').put(`/rooms/${room}/send/m.room.message/${transaction}`, text)).body.event_id;
      const first = await send('same');
      expect(await send('same')).toBe(first);
      expect(await send('another')).not.toBe(first);
    });

    test('seems to invite, but no one is invited', async () => {
      const invited = await as('bob').post(`/rooms/${room}/invite`, { user_id: '@carol:localhost' });
      expect({ status: invited.status, body: invited.body }).toEqual({ status: 200, body: {} });
      const made = await as('bob').post('/createRoom', { invite: ['@carol:localhost'] });
      expect(made.status).toBe(200);
      const invitation = {
        type: 'm.room.member',
        state_key: '@carol:localhost',
        content: { membership: 'invite' },
      };
      const secretly = await as('bob').post('/createRoom', { initial_state: [invitation] });
      expect(secretly.status).toBe(200);
      for (const roomId of [room, made.body.room_id, secretly.body.room_id]) {
        const { body } = await as('bob').get(`/rooms/${roomId}/members?membership=invite`);
        expect(body.chunk).toEqual([]);
      }
    });

    test('has a new name that no room shows', async () => {
      const path = '/profile/@bob:localhost/displayname';
      expect((await as('bob').put(path, { displayname: 'loud words' })).status).toBe(200);
      expect((await as('bob').get(path)).body).toEqual({ displayname: 'loud words' });
      const { body } = await as('alice').get(`/rooms/${room}/joined_members`);
      expect(body.joined['@bob:localhost'].display_name).toBe('bob');
      await as('bob').put(path, { displayname: 'bob' });
    });

    test('gets the usual errors for invalid requests', async () => {
      expect(await as('bob').put(`/rooms/${room}/send/m.room.message/8`, '[]')).toMatchObject({
        status: 400,
        body: { errcode: 'M_BAD_JSON' },
      });
    });

    test('joins and leaves like anyone', async () => {
      expect((await as('bob').post(`/rooms/${room}/leave`)).status).toBe(200);
      expect((await as('bob').post(`/rooms/${room}/join`)).status).toBe(200);
      const members = await as('alice').get(`/rooms/${room}/joined_members`);
      expect(Object.keys(members.body.joined)).toContain('@bob:localhost');
    });

    test('is visible again after the shadow-ban', async () => {
      const who = `banned-${dialect}`;
      const userId = await join(who);
      await admin().post(ban(userId));
      const hidden = await as(who).put(`/rooms/${room}/send/m.room.message/9`, text);
      await admin().delete(ban(userId));
      const { body } = await as(who).put(`/rooms/${room}/send/m.room.message/10`, text);
      const heard = await eventsOf('alice');
      expect(heard).toContain(body.event_id);
      expect(heard).not.toContain(hidden.body.event_id);
    });
  });
});
