/** A watcher applies the team's automatic rules once, and never to moderators or protected accounts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../server/app/commands/send.ts';
import { openWatchedServer, type WatchedServer } from '../../../server/app/watch/watched-server.ts';
import { createWatcher } from '../../../server/app/watch/watcher.ts';
import { systemClock } from '../../../server/platform/core/clock.ts';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { dialects } from '../../../shared/dialect.ts';
import type { Body } from '../../../shared/team/entries.ts';
import { eventOf } from '../../../shared/team/room-events.ts';
import type { Rule } from '../../../shared/team/rules.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { createTeamRoom, entriesIn, suspendedOf } from './team-room.ts';

const client = '/_chat/client/v3';
const path = encodeURIComponent;

let ahead = 0;
const now = () => Date.now() + ahead;

let homeserver: TestHomeserver;
let roomId = '';
beforeAll(async () => {
  homeserver = await startHomeserver({ clock: { ...systemClock, now } });
  const admin = homeserver.as('admin');
  for (const name of ['dora', 'emil', 'fred', 'gina', 'hugo', 'ines', 'jana']) await homeserver.add(name);
  await admin.put(`/_service/admin/v1/users/${path('@gina:localhost')}/admin`, { admin: true });
  roomId = await createTeamRoom(homeserver);
});
afterAll(() => homeserver.remove());

/** Adds an entry as a moderator's console does. */
async function add(body: Body) {
  const id = randomUUID();
  const { type, content } = eventOf({ id, at: now(), body }, now());
  const to = `${client}/rooms/${path(roomId)}/send/${type}/${id}`;
  expect((await homeserver.as('admin').put(to, content)).status).toBe(200);
}

/** Saves a rule; it acts on later reports. */
async function rule(key: string, content: Pick<Rule, 'when' | 'effects'> | null) {
  const whole = content && { name: `Rule ${key}`, on: true, ...content };
  await add({ type: 'document', kind: 'rule', key, content: whole });
  ahead += 10;
}

async function report(about: string, ...reporters: string[]) {
  for (const name of reporters) {
    const to = `${client}/users/${path(`@${about}:localhost`)}/report`;
    expect((await homeserver.as(name).post(to, { reason: 'Spam' })).status).toBe(200);
  }
  ahead += 10;
}

const suspended = (name: string) => suspendedOf(homeserver, name);

/** The actions in the log by a rule, oldest first. */
const ruled = async (key: string) =>
  (await entriesIn(homeserver, roomId)).flatMap(({ body }) =>
    body.type === 'action' && body.rule?.key === key ? [body] : [],
  );

async function watching(of = (server: WatchedServer) => server) {
  const token = homeserver.as('admin').accessToken ?? '';
  const server = await openWatchedServer(send, { baseUrl: homeserver.url, dialect: dialects.vendor }, token);
  const lines: string[] = [];
  const watcher = createWatcher({
    server: of(server),
    targets: [{ name: 'test', deliver: async () => {} }],
    readsTeam: true,
    everyMs: 600_000,
    isQuiet: () => false,
    leaseMs: 90_000,
    id: randomUUID(),
    now,
    sleep: async (ms) => {
      ahead += ms;
    },
    log: (line) => lines.push(line),
  });
  return { ...watcher, lines };
}

const twoOnNew = { reports: 2, reporters: 2, account_days: 7 };

test('a new account is suspended once, for later reports only, and not again after a moderator unsuspends it', async () => {
  await report('carol', 'alice', 'bob');
  await rule('new', { when: twoOnNew, effects: { suspend: true } });
  const watcher = await watching();
  await watcher.round();
  expect(await suspended('carol')).toBe(false);
  await report('carol', 'alice', 'bob');
  await report('dora', 'alice');
  await watcher.round();
  expect([await suspended('carol'), await suspended('dora')]).toEqual([true, false]);
  await watcher.release();
  await homeserver.as('admin').put('/_service/admin/v1/suspend/@carol:localhost', { suspend: false });
  await add({
    type: 'action',
    action: 'unsuspend-user',
    subject: { kind: 'user', userId: '@carol:localhost' },
    reports: [],
    outcome: 'done',
  });
  await report('carol', 'alice', 'bob');
  const restarted = await watching();
  await restarted.round();
  expect(await suspended('carol')).toBe(false);
  expect(await ruled('new')).toMatchObject([
    {
      action: 'suspend-user',
      outcome: 'done',
      of: 'user_report',
      reason: 'Automatic rule: Rule new',
      rule: { key: 'new', name: 'Rule new' },
      subject: { kind: 'user', userId: '@carol:localhost' },
    },
  ]);
  await restarted.release();
  await rule('new', null);
});

test("an account isn't suspended for reports from before a moderator's decision about it", async () => {
  await rule('decided', { when: twoOnNew, effects: { suspend: true } });
  await report('ines', 'alice', 'bob');
  await add({
    type: 'action',
    action: 'unsuspend-user',
    subject: { kind: 'user', userId: '@ines:localhost' },
    reports: [],
    outcome: 'done',
  });
  const watcher = await watching();
  await watcher.round();
  expect(await suspended('ines')).toBe(false);
  ahead += 10;
  await report('ines', 'alice', 'bob');
  await watcher.round();
  expect(await suspended('ines')).toBe(true);
  await watcher.release();
  await rule('decided', null);
});

test("an account isn't suspended if all reports about it are resolved", async () => {
  await rule('resolved', { when: twoOnNew, effects: { suspend: true } });
  await report('jana', 'alice', 'bob');
  const list = `/_service/admin/v1/user_reports?target_user_id=${path('@jana:localhost')}`;
  const { body } = await homeserver.as('admin').get(list);
  const reports = body.user_reports.map(({ id }: { id: number }) => id);
  await add({ type: 'mark', of: 'user_report', reports, state: 'reviewed', seen: 'open' });
  const watcher = await watching();
  await watcher.round();
  expect(await suspended('jana')).toBe(false);
  await watcher.release();
  await rule('resolved', null);
});

test('admins, protected accounts and older accounts are never suspended', async () => {
  await add({
    type: 'document',
    kind: 'protected',
    key: 'accounts',
    content: { patterns: ['@emil:*'], admins: false, application_services: true },
  });
  await rule('one', { when: { account_days: 7 }, effects: { suspend: true } });
  await rule('any', { when: {}, effects: { suspend: true } });
  await report('gina', 'alice');
  await report('emil', 'alice');
  const watcher = await watching();
  await watcher.round();
  expect([await suspended('gina'), await suspended('emil')]).toEqual([false, false]);
  expect([await ruled('one'), await ruled('any')]).toEqual([[], []]);
  await watcher.release();
  await rule('one', null);
  await rule('any', null);
});

test('a watcher killed between action and entry repeats the action, and there is a single entry', async () => {
  await rule('killed', { when: { account_days: 7 }, effects: { suspend: true } });
  await report('fred', 'alice');
  let isDead = false;
  const killed = await watching((server) => ({
    ...server,
    request: async (method, to, body) => {
      isDead ||= to.includes('/send/io.gatehouse.team.action/');
      if (isDead) throw new ConnectionFailure('unreachable', 'Killed');
      return server.request(method, to, body);
    },
  }));
  await killed.round();
  expect([isDead, await suspended('fred'), await ruled('killed')]).toEqual([true, true, []]);
  ahead += 100_000;
  const other = await watching();
  for (let round = 0; round < 2; round++) await other.round();
  expect((await ruled('killed')).map(({ outcome }) => outcome)).toEqual(['done']);
  await other.release();
  await rule('killed', null);
});

test('media of a reported message with listed words is quarantined', async () => {
  const hugo = homeserver.as('hugo');
  const upload = async () => {
    const reply = await fetch(`${homeserver.url}/_chat/media/v3/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hugo.accessToken}`, 'content-type': 'image/png' },
      body: randomUUID(),
    });
    return ((await reply.json()) as { content_uri: string }).content_uri;
  };
  const room = (await hugo.post(`${client}/createRoom`, { preset: 'public_chat' })).body.room_id;
  await homeserver.as('alice').post(`${client}/join/${path(room)}`, {});
  const post = async (body: string) => {
    const url = await upload();
    const sent = await hugo.put(`${client}/rooms/${path(room)}/send/m.room.message/${randomUUID()}`, {
      ...{ msgtype: 'm.image', body, url },
    });
    const to = `${client}/rooms/${path(room)}/report/${path(sent.body.event_id)}`;
    expect((await homeserver.as('alice').post(to, { reason: '' })).status).toBe(200);
    return { url, eventId: sent.body.event_id };
  };
  await add({
    type: 'document',
    kind: 'words',
    key: 'casino',
    content: { name: 'Casino', words: ['jackpot'], domains: [] },
  });
  await rule('media', { when: { words: ['casino'] }, effects: { quarantine: true } });
  const [bad, good] = [await post('The JACKPOT is here'), await post('A cat')];
  ahead += 10;
  const watcher = await watching();
  for (let round = 0; round < 2; round++) await watcher.round();
  const quarantinedBy = async ({ url }: { url: string }) =>
    (await homeserver.as('admin').get(`/_service/admin/v1/media/${url.slice('mxc://'.length)}`)).body
      .media_info.quarantined_by;
  expect([await quarantinedBy(bad), await quarantinedBy(good)]).toEqual(['@admin:localhost', null]);
  expect(await ruled('media')).toMatchObject([
    { subject: { kind: 'event', eventId: bad.eventId }, action: 'quarantine-media', detail: bad.url },
  ]);
  await watcher.release();
});
