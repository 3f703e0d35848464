import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redactAllEventsTask } from '../../../server/administration/room-administration/redact-all-events-task.ts';
import { until } from '../../until.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
const chat = '/_chat/client/v3';
const admin = () => homeserver.as('admin');
const redactAll = (user: string, body: unknown) =>
  admin().post(`/_service/admin/v1/user/@${user}:localhost/redact`, body);

beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Creates Alice's room with Bob and Carol, and this number of messages by Bob. */
async function roomWithMessages(count: number): Promise<string> {
  const { body } = await homeserver.as('alice').post(`${chat}/createRoom`, { preset: 'public_chat' });
  for (const who of ['bob', 'carol']) await homeserver.as(who).post(`${chat}/rooms/${body.room_id}/join`);
  for (let index = 0; index < count; index++) {
    await homeserver.as('bob').put(`${chat}/rooms/${body.room_id}/send/m.room.message/${index}`, {
      msgtype: 'm.text',
      body: `${index}`,
    });
  }
  return body.room_id;
}

async function bobsMessages(roomId: string) {
  const { body } = await homeserver.as('alice').get(`${chat}/rooms/${roomId}/messages?dir=f&limit=1000`);
  return body.chunk.filter(
    (event: { type: string; sender: string }) =>
      event.type === 'm.room.message' && event.sender === '@bob:localhost',
  );
}
const redactedIn = async (roomId: string) =>
  (await bobsMessages(roomId)).filter(
    (event: { content: object }) => Object.keys(event.content).length === 0,
  );

function finished(redactId: string) {
  return until(async () => {
    const reply = await admin().get(`/_service/admin/v1/user/redact_status/${redactId}`);
    expect(reply.body.status).toMatch(/complete|failed/);
    return reply.body;
  });
}

describe.each([
  ['vendor', '/_service/admin'],
  ['matrix', '/_synapse/admin'],
])('in the %s dialect', (_, at) => {
  test.each<[string, string, 'get' | 'post', string, unknown, number, string]>([
    ['nobody', 'guest', 'post', '/v1/user/@bob:localhost/redact', { rooms: [] }, 401, 'M_MISSING_TOKEN'],
    ['a user', 'alice', 'post', '/v1/user/@bob:localhost/redact', { rooms: [] }, 403, 'M_FORBIDDEN'],
    ['no rooms', 'admin', 'post', '/v1/user/@bob:localhost/redact', {}, 400, 'M_MISSING_PARAM'],
    ['a room as text', 'admin', 'post', '/v1/user/@bob:localhost/redact', { rooms: 'x' }, 400, 'M_BAD_JSON'],
    ['a number', 'admin', 'post', '/v1/user/@bob:localhost/redact', { rooms: [5] }, 400, 'M_BAD_JSON'],
    [
      'no limit',
      'admin',
      'post',
      '/v1/user/@bob:localhost/redact',
      { rooms: [], limit: 0 },
      400,
      'M_BAD_JSON',
    ],
    ['an invalid user ID', 'admin', 'post', '/v1/user/bob/redact', { rooms: [] }, 400, 'M_INVALID_PARAM'],
    ['no such task', 'admin', 'get', '/v1/user/redact_status/none', undefined, 404, 'M_NOT_FOUND'],
    ['the status to a user', 'alice', 'get', '/v1/user/redact_status/none', undefined, 403, 'M_FORBIDDEN'],
  ])('refuses %s', async (_, caller, method, path, body, status, errcode) => {
    expect(await homeserver.as(caller)[method](at + path, body)).toMatchObject({ status, body: { errcode } });
  });
});

test("redacts a user's messages in their name with the reason", async () => {
  const [room, other] = [await roomWithMessages(60), await roomWithMessages(2)];
  const { body } = await redactAll('bob', { rooms: [room], reason: 'spam' });
  expect(await finished(body.redact_id)).toEqual({ status: 'complete', failed_redactions: {} });
  const messages = await bobsMessages(room);
  expect(messages).toHaveLength(60);
  for (const { content, redacted_because } of messages) {
    expect({ content, sender: redacted_because.sender }).toEqual({ content: {}, sender: '@bob:localhost' });
    expect(redacted_because.content.reason).toBe('spam');
  }
  expect(await redactedIn(other)).toEqual([]);
  const tasks = await admin().get('/_service/admin/v1/scheduled_tasks?action_name=redact_all_events');
  expect(tasks.body.scheduled_tasks[0]).toMatchObject({ resource_id: '@bob:localhost', status: 'complete' });
});

test('redacts in all rooms, also where the user was banned', async () => {
  const [first, second] = [await roomWithMessages(2), await roomWithMessages(2)];
  await homeserver.as('alice').post(`${chat}/rooms/${second}/ban`, { user_id: '@bob:localhost' });
  const { body } = await redactAll('bob', { rooms: [] });
  expect(await finished(body.redact_id)).toEqual({ status: 'complete', failed_redactions: {} });
  expect(await redactedIn(first)).toHaveLength(2);
  expect(await redactedIn(second)).toHaveLength(2);
});

test('is limited to the newest events per room', async () => {
  const room = await roomWithMessages(5);
  const { body } = await redactAll('bob', { rooms: [room], limit: 2 });
  await finished(body.redact_id);
  const texts = (await bobsMessages(room)).map(({ content }: { content: { body?: string } }) => content.body);
  expect(texts).toEqual(['0', '1', '2', undefined, undefined]);
});

test('redacts only events in a period, including both ends', async () => {
  const room = await roomWithMessages(0);
  const sent: { origin_server_ts: number }[] = [];
  for (let index = 0; index < 5; index++) {
    // Waits, so that each message has its own millisecond.
    await until(async () => expect(Date.now()).toBeGreaterThan(sent.at(-1)?.origin_server_ts ?? 0));
    await homeserver.as('bob').put(`${chat}/rooms/${room}/send/m.room.message/p${index}`, {
      msgtype: 'm.text',
      body: `${index}`,
    });
    sent.push(...(await bobsMessages(room)).slice(-1));
  }
  const { body } = await redactAll('bob', {
    rooms: [room],
    limit: 2,
    after_ts: sent[1]?.origin_server_ts,
    before_ts: sent[3]?.origin_server_ts,
  });
  await finished(body.redact_id);
  const texts = (await bobsMessages(room)).map(({ content }: { content: { body?: string } }) => content.body);
  expect(texts).toEqual(['0', '1', undefined, undefined, '4']);
});

test('lists events that the admin may not redact when redacting as the admin', async () => {
  const room = await roomWithMessages(1);
  const { body } = await redactAll('bob', { rooms: [room], use_admin: true });
  const { failed_redactions } = await finished(body.redact_id);
  expect(Object.values(failed_redactions)).toEqual(expect.arrayContaining([expect.stringMatching(/^403: /)]));
  expect(await redactedIn(room)).toEqual([]);
});

test('is refused while an earlier one waits', async () => {
  const { tasks } = homeserver.services;
  await tasks.schedule(redactAllEventsTask, {
    params: {
      user_id: '@carol:localhost',
      requester: '@admin:localhost',
      rooms: [],
      reason: null,
      limit: 1,
      use_admin: false,
    },
    resourceId: '@carol:localhost',
    requestedBy: '@admin:localhost',
    timestampMs: Date.now() + 3_600_000,
  });
  expect(await redactAll('carol', { rooms: [] })).toMatchObject({
    status: 400,
    body: { errcode: 'M_UNKNOWN' },
  });
});

test('runs once at a time per user, and resumes after a restart', async () => {
  const room = await roomWithMessages(120);
  // The first may finish before the last of these arrives.
  const replies = await Promise.all(Array.from({ length: 6 }, () => redactAll('bob', { rooms: [room] })));
  const begun = replies.filter(({ status }) => status === 200);
  expect(replies.some(({ status }) => status === 400)).toBe(true);
  await homeserver.restart();
  for (const { body } of begun) {
    expect(await finished(body.redact_id)).toEqual({ status: 'complete', failed_redactions: {} });
  }
  expect(await redactedIn(room)).toHaveLength(120);
});
