/** A room with reportable events, created over HTTP on any homeserver, in either dialect. */
import { type DialectName, dialects } from '../../shared/dialect.ts';

export type Place = { url: string; dialect: DialectName; adminToken: string };

type Content = Record<string, unknown>;

/** A sender in a scene. */
export type Actor = { userId: string; token: string };

const password = 'pass-word-of-a-scene';
let scenes = 0;

export async function makeScene({ url, dialect, adminToken }: Place) {
  const { administration, chat } = dialects[dialect];
  const mark = `${process.pid}x${scenes++}x${Date.now().toString(36)}`;

  async function call(method: string, path: string, token: string, body?: unknown) {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const reply = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(reply)}`);
    return reply;
  }
  const client = (method: string, path: string, actor: Actor, body?: unknown) =>
    call(method, `${chat}/client/v3${path}`, actor.token, body);
  const administer = (method: string, path: string, body?: unknown) =>
    call(method, `${administration}/admin${path}`, adminToken, body);

  const whoami = await call('GET', `${chat}/client/v3/account/whoami`, adminToken);
  const serverName = String(whoami.user_id).split(':').slice(1).join(':');

  async function person(name: string): Promise<Actor> {
    const userId = `@${name}-${mark}:${serverName}`;
    await administer('PUT', `/v2/users/${encodeURIComponent(userId)}`, {
      password,
      displayname: name[0]?.toUpperCase() + name.slice(1),
    });
    const login = await fetch(`${url}${chat}/client/v3/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: userId },
        password,
        initial_device_display_name: `${name}'s phone`,
      }),
    });
    const { access_token } = (await login.json()) as { access_token: string };
    return { userId, token: access_token };
  }

  const [alice, bob] = await Promise.all([person('alice'), person('bob')]);
  const made = await client('POST', '/createRoom', alice, {
    name: `Scene ${mark}`,
    topic: 'What this room is about',
    preset: 'public_chat',
  });
  const roomId = String(made.room_id);
  const room = `/rooms/${encodeURIComponent(roomId)}`;
  await client('POST', `${room}/join`, bob, {});

  let transactions = 0;
  const scene = {
    alice,
    bob,
    roomId,
    roomName: `Scene ${mark}`,
    serverName,
    client,
    administer,
    person,
    async send(actor: Actor, type: string, content: Content): Promise<string> {
      const path = `${room}/send/${encodeURIComponent(type)}/${mark}-${transactions++}`;
      return String((await client('PUT', path, actor, content)).event_id);
    },
    say: (actor: Actor, body: string) => scene.send(actor, 'm.room.message', { msgtype: 'm.text', body }),
    edit: (actor: Actor, eventId: string, body: string) =>
      scene.send(actor, 'm.room.message', {
        msgtype: 'm.text',
        body: `* ${body}`,
        'm.new_content': { msgtype: 'm.text', body },
        'm.relates_to': { rel_type: 'm.replace', event_id: eventId },
      }),
    async setState(actor: Actor, type: string, content: Content, stateKey = ''): Promise<string> {
      const path = `${room}/state/${encodeURIComponent(type)}/${encodeURIComponent(stateKey)}`;
      return String((await client('PUT', path, actor, content)).event_id);
    },
    redact: (actor: Actor, eventId: string, reason: string) =>
      client('PUT', `${room}/redact/${encodeURIComponent(eventId)}/${mark}-${transactions++}`, actor, {
        reason,
      }),
    /** Files a report. Returns its ID. */
    async report(actor: Actor, eventId: string, reason = 'Look at this'): Promise<number> {
      await client('POST', `${room}/report/${encodeURIComponent(eventId)}`, actor, { reason, score: -60 });
      const query = new URLSearchParams({ user_id: actor.userId, limit: '1' });
      const page = await administer('GET', `/v1/event_reports?${query}`);
      const [newest] = page.event_reports as { id: number }[];
      if (!newest) throw new Error('the report is not in the list');
      return newest.id;
    },
  };
  return scene;
}
