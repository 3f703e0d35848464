/** A watcher's alerts about the team room. Scheduled actions run once, regardless of who's present. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../../../server/app/commands/send.ts';
import type { Alert } from '../../../server/app/watch/alerts.ts';
import { openWatchedServer, type WatchedServer } from '../../../server/app/watch/watched-server.ts';
import { createWatcher } from '../../../server/app/watch/watcher.ts';
import { systemClock } from '../../../server/platform/core/clock.ts';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { dialects } from '../../../shared/dialect.ts';
import { common, leaveAfterwards, takePower } from '../../../shared/team/action-inputs.ts';
import { settleMs } from '../../../shared/team/claims.ts';
import type { Body } from '../../../shared/team/entries.ts';
import type { Held } from '../../../shared/team/evidence.ts';
import { eventOf } from '../../../shared/team/room-events.ts';
import type { Scheduled } from '../../../shared/team/scheduled.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { createTeamRoom, entriesIn, suspendedOf } from './team-room.ts';

const client = '/_chat/client/v3';
const path = encodeURIComponent;
const minute = 60_000;

/** Time of the server and all watchers: real time plus the time they slept. */
let ahead = 0;
const now = () => Date.now() + ahead;

let homeserver: TestHomeserver;
let roomId = '';
beforeAll(async () => {
  homeserver = await startHomeserver({ clock: { ...systemClock, now } });
  const admin = homeserver.as('admin');
  for (const name of ['ben', 'watch', 'other', 'late']) {
    const { userId } = await homeserver.add(name);
    await admin.put(`/_service/admin/v1/users/${path(userId)}/admin`, { admin: true });
  }
  await homeserver.add('dave');
  roomId = await createTeamRoom(homeserver);
  for (const name of ['ben', 'watch', 'other']) {
    await invite(name);
    await homeserver.as(name).post(`${client}/rooms/${path(roomId)}/join`, {});
  }
});
afterAll(() => homeserver.remove());
// Earlier alerts, leases and limits are over.
beforeEach(async () => {
  ahead += 90 * minute;
  const watcher = await watching('watch');
  await watcher.round();
  await watcher.release();
});

const invite = (name: string) =>
  homeserver
    .as('admin')
    .post(`${client}/rooms/${path(roomId)}/invite`, { user_id: homeserver.as(name).userId });

/** Adds an entry as a moderator's console does. */
async function add(person: string, body: Body) {
  const id = randomUUID();
  const { type, content } = eventOf({ id, at: now(), body }, now(), ['@ben:localhost']);
  const sent = await homeserver.as(person).put(`${client}/rooms/${path(roomId)}/send/${type}/${id}`, content);
  expect(sent.status).toBe(200);
}

const schedule = (key: string, content: Partial<Scheduled> | null) =>
  add('admin', {
    type: 'document',
    kind: 'scheduled',
    key,
    content: content && {
      action: 'unsuspend-user',
      subject: { kind: 'user', user_id: '@carol:localhost' },
      at: now() - 1,
      by: '@admin:localhost',
      ends: 'suspend-user',
      ...content,
    },
  });

const actions = async () =>
  (await entriesIn(homeserver, roomId)).flatMap(({ by, body }) =>
    body.type === 'action' ? [{ by, ...body }] : [],
  );

const isSuspended = (name: string) => suspendedOf(homeserver, name);
const suspend = (name: string, on = true) =>
  homeserver.as('admin').put(`/_service/admin/v1/suspend/@${name}:localhost`, { suspend: on });

/** Returns a function that waits until its second call. */
function meeting() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  return () => {
    if (++calls === 2) resolve();
    return promise;
  };
}

const isClaim = (path: string, body: unknown) =>
  path.includes('/send/io.gatehouse.team.document/') && JSON.stringify(body).includes('claimed');

type Watching = {
  /** Wraps the watcher's server. */
  of?: (server: WatchedServer) => WatchedServer;
  beforeSleep?: () => Promise<void>;
};

async function watching(person: string, { of, beforeSleep }: Watching = {}) {
  const token = homeserver.as(person).accessToken ?? '';
  const server = await openWatchedServer(send, { baseUrl: homeserver.url, dialect: dialects.vendor }, token);
  const told: Alert[] = [];
  const lines: string[] = [];
  const watcher = createWatcher({
    server: of?.(server) ?? server,
    targets: [{ name: 'test', deliver: async (alerts) => void told.push(...alerts) }],
    readsTeam: true,
    everyMs: 10 * minute,
    isQuiet: () => false,
    leaseMs: 90_000,
    id: randomUUID(),
    now,
    sleep: async (ms) => {
      if (ms === settleMs.visible) await beforeSleep?.();
      ahead += ms;
    },
    log: (line) => lines.push(line),
  });
  return {
    ...watcher,
    lines,
    async tells() {
      await watcher.round();
      return told.splice(0);
    },
  };
}

test('a watcher joins the team room once invited, and ignores earlier escalations', async () => {
  await add('ben', { type: 'mark', reports: [1], state: 'escalated' });
  const watcher = await watching('late');
  expect(await watcher.tells()).toEqual([]);
  expect(watcher.lines).toContain('waiting for an invite of @late:localhost to the team room');
  await invite('late');
  ahead += minute;
  expect(await watcher.tells()).toEqual([]);
  expect(watcher.lines).toContain('joined the team room');
  await watcher.release();
});

describe('the team room announces', () => {
  test('an escalation once, with its reason and mentions, also after a restart', async () => {
    const watcher = await watching('watch');
    await watcher.tells();
    const about = [{ kind: 'user', userId: '@mallory:localhost' }] as const;
    await add('admin', { type: 'mark', reports: [12], state: 'escalated', about: [...about] });
    await add('admin', {
      type: 'note',
      subject: { kind: 'report', id: 12 },
      text: 'Threat?\n@ben please look',
      escalation: true,
    });
    await add('alice', { type: 'mark', reports: [13], state: 'escalated' }).catch(() => {});
    const [alert, ...others] = await watcher.tells();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      isUrgent: true,
      title: '1 escalated report',
      lines: ['@admin:localhost escalated report 12 on @mallory:localhost: Threat? @ben please look'],
      mentions: ['@ben:localhost'],
    });
    await watcher.release();
    const restarted = await watching('watch');
    expect(await restarted.tells()).toEqual([]);
    await restarted.release();
  });

  test('a reopened report with the next alerts, unless it was a correction', async () => {
    const watcher = await watching('watch');
    ahead += 20 * minute;
    await watcher.tells();
    await add('ben', { type: 'mark', reports: [20, 21], state: 'reviewed', seen: 'open' });
    await add('ben', { type: 'mark', reports: [20], state: 'open', seen: 'reviewed' });
    await add('admin', { type: 'mark', reports: [21], state: 'open', seen: 'reviewed' });
    expect((await watcher.tells()).map(({ title, lines }) => [title, ...lines])).toEqual([
      ['1 reopened report', 'report 21, reopened by @admin:localhost'],
    ]);
    for (const state of ['reviewed', 'open', 'reviewed'] as const)
      await add('admin', {
        type: 'mark',
        reports: [23],
        state,
        seen: state === 'open' ? 'reviewed' : 'open',
      });
    await add('ben', { type: 'mark', reports: [22, 24], state: 'reviewed', seen: 'open' });
    await add('admin', { type: 'mark', reports: [24], state: 'open', seen: 'reviewed' });
    await add('admin', { type: 'mark', reports: [24], state: 'reviewed', seen: 'open' });
    ahead += 11 * minute;
    await add('ben', { type: 'mark', reports: [22], state: 'open', seen: 'reviewed' });
    expect((await watcher.tells()).map(({ title, lines }) => [title, ...lines])).toEqual([
      ['1 reopened report', 'report 22, reopened by @ben:localhost'],
    ]);
    await watcher.release();
  });

  test("an overdue scheduled action that it doesn't carry out, once", async () => {
    const watcher = await watching('watch');
    ahead += 20 * minute;
    await schedule('late', { action: 'deactivate-user', at: now() - 11 * minute });
    expect((await watcher.tells()).map(({ title, lines }) => [title, ...lines])).toEqual([
      ['1 late scheduled action', 'deactivate-user on @carol:localhost, scheduled by @admin:localhost'],
    ]);
    ahead += 20 * minute;
    expect(await watcher.tells()).toEqual([]);
    await schedule('late', null);
    await watcher.release();
  });
});

describe('a scheduled action', () => {
  let before = 0;
  beforeEach(async () => {
    before = (await actions()).length;
  });
  const done = async () =>
    (await actions()).slice(before).map(({ action, outcome, detail }) => [action, outcome, detail]);

  test('is carried out once by two watchers that claim it at the same time', async () => {
    await suspend('carol');
    await schedule('both', { reason: 'A day' });
    const [claims, sleeps] = [meeting(), meeting()];
    const options: Watching = {
      of: (server) => ({
        ...server,
        async request(method, path, body) {
          if (isClaim(path, body)) await claims();
          if (path.includes('/v1/suspend/')) changes++;
          return server.request(method, path, body);
        },
      }),
      beforeSleep: sleeps,
    };
    let changes = 0;
    const two = [await watching('watch', options), await watching('other', options)];
    await Promise.all(two.map((watcher) => watcher.tells()));
    expect(await isSuspended('carol')).toBe(false);
    for (const watcher of two) await watcher.tells();
    expect(changes).toBe(1);
    expect(await done()).toEqual([['unsuspend-user', 'done', undefined]]);
    expect((await actions()).at(-1)).toMatchObject({ reason: 'Scheduled by @admin:localhost: A day' });
    for (const watcher of two) await watcher.release();
  });

  test('of a watcher that ends after its claim is carried out by another one later', async () => {
    await suspend('carol');
    await schedule('killed', {});
    let isDead = false;
    const killed = await watching('watch', {
      of: (server) => ({
        ...server,
        request: async (method, path, body) => {
          if (isDead) throw new ConnectionFailure('unreachable', 'Killed');
          const reply = await server.request(method, path, body);
          if (isClaim(path, body)) isDead = true;
          return reply;
        },
      }),
    });
    await killed.tells();
    expect(isDead).toBe(true);
    const other = await watching('other');
    await other.tells();
    expect(await isSuspended('carol')).toBe(true);
    ahead += 10 * minute;
    await other.tells();
    expect(await isSuspended('carol')).toBe(false);
    expect(await done()).toEqual([['unsuspend-user', 'done', undefined]]);
    await other.release();
  });

  test('that another console carried out without recording it is logged without a change', async () => {
    await suspend('carol', false);
    await schedule('unrecorded', { fields: { strikeWeight: 1, strikeUntil: 0 } });
    const watcher = await watching('other');
    await watcher.tells();
    expect(await done()).toEqual([['unsuspend-user', 'done', undefined]]);
    expect((await actions()).at(-1)).toMatchObject({ unchanged: true });
    expect((await actions()).at(-1)).not.toHaveProperty('strike');
    await watcher.release();
  });

  test('is dropped if a colleague decided otherwise while it was claimed', async () => {
    await suspend('carol');
    await schedule('later', {});
    ahead += 1;
    const watcher = await watching('other', {
      of: (server) => ({
        ...server,
        request: async (method, path, body) => {
          const reply = await server.request(method, path, body);
          if (isClaim(path, body)) {
            await add('ben', {
              type: 'action',
              action: 'suspend-user',
              subject: { kind: 'user', userId: '@carol:localhost' },
              reports: [],
              outcome: 'done',
            });
          }
          return reply;
        },
      }),
    });
    await watcher.tells();
    expect(await isSuspended('carol')).toBe(true);
    expect((await done()).slice(1)).toEqual([
      ['unsuspend-user', 'failed', 'dropped: changed by @ben:localhost'],
    ]);
    await watcher.release();
  });

  test('with a time limit schedules its end, and bans and mutes only where the watcher has power', async () => {
    await suspend('carol', false);
    const limit = now() + 5 * minute;
    await schedule('limited', { action: 'suspend-user', ends: undefined, fields: { [common.limit]: limit } });
    const carol = homeserver.as('carol');
    const { body: room } = await carol.post(`${client}/createRoom`, { preset: 'public_chat' });
    const ban = {
      action: 'ban-member',
      subject: { kind: 'user', user_id: '@bob:localhost' },
      room_id: room.room_id,
      ends: undefined,
    } as const;
    await schedule('powerless', ban);
    await schedule('agreed', { ...ban, fields: { [takePower]: true, [leaveAfterwards]: true } });
    const alice = { kind: 'user', user_id: '@alice:localhost' } as const;
    await schedule('mute', { ...ban, action: 'mute-member', subject: alice, fields: { [takePower]: true } });
    const watcher = await watching('other');
    await watcher.tells();
    expect(await isSuspended('carol')).toBe(true);
    const levels = await carol.get(`${client}/rooms/${path(room.room_id)}/state/m.room.power_levels`);
    expect(levels.body.users['@alice:localhost']).toBe(-1);
    expect((await done()).sort()).toEqual([
      ['ban-member', 'done', room.room_id],
      ['mute-member', 'done', room.room_id],
      ['suspend-user', 'done', undefined],
    ]);
    ahead += 6 * minute;
    await watcher.tells();
    expect(await isSuspended('carol')).toBe(false);
    await schedule('powerless', null);
    await watcher.release();
  });
});

test('evidence is removed once it has expired, and never while a report of its case is open', async () => {
  const day = 24 * 60 * minute;
  const admin = homeserver.as('admin');
  const carol = homeserver.as('carol');
  const uploaded = await admin.post('/_chat/media/v3/upload', { held: 'message' });
  const uri: string = uploaded.body.content_uri;
  const file = `/_service/admin/v1/media/${uri.slice('mxc://'.length)}`;
  const evidence = (content: Held | null) =>
    add('admin', { type: 'document', kind: 'evidence', key: 'e', content });
  await evidence({
    case: { kind: 'user', user_id: '@dave:localhost' },
    by: '@admin:localhost',
    at: now() - 100 * day,
    reports: [900],
    events: ['$e'],
    media: 0,
    file: { uri, size: 18 },
  });
  const reported = await carol.post(`${client}/users/${path('@dave:localhost')}/report`, { reason: 'Rude' });
  expect(reported.status).toBe(200);
  const [{ id }] = (await admin.get('/_service/admin/v1/user_reports?dir=b&limit=1')).body.user_reports;
  await add('admin', { type: 'mark', reports: [900], state: 'reviewed' });
  ahead += 91 * day;
  const watcher = await watching('watch');
  await watcher.tells();
  expect((await admin.get(file)).status).toBe(200);
  await add('admin', { type: 'mark', of: 'user_report', reports: [id], state: 'reviewed' });
  await watcher.tells();
  expect((await admin.get(file)).status).toBe(200);
  ahead += 91 * day;
  await watcher.tells();
  expect((await admin.get(file)).status).toBe(404);
  await watcher.tells();
  const removals = (await actions()).filter(({ action }) => action === 'remove-evidence');
  expect(removals.map(({ by }) => by)).toEqual(['@watch:localhost']);
  await watcher.release();
});

test('reports on watched users and rooms are urgent until the watch ends', async () => {
  const watcher = await watching('watch');
  ahead += 20 * minute;
  await watcher.tells();
  const until = now() + 60 * minute;
  await add('ben', {
    type: 'case',
    subject: { kind: 'user', userId: '@bob:localhost' },
    watchedUntil: until,
  });
  await add('ben', { type: 'case', subject: { kind: 'room', roomId }, watchedUntil: until });
  const reportBob = () =>
    homeserver.as('alice').post(`${client}/users/${path('@bob:localhost')}/report`, { reason: 'Spam' });
  await reportBob();
  await homeserver.as('ben').post(`${client}/rooms/${path(roomId)}/report`, { reason: 'Spam' });
  const titles = async () => (await watcher.tells()).map(({ title }) => title);
  expect(await titles()).toEqual(['1 urgent user report', '1 urgent room report']);
  ahead += 60 * minute;
  await reportBob();
  expect(await titles()).toEqual(['1 new user report']);
  await watcher.release();
});

test("reports by muted reporters aren't announced, and later ones are again", async () => {
  const watcher = await watching('watch');
  ahead += 20 * minute;
  await watcher.tells();
  const subject = { kind: 'user', userId: '@alice:localhost' } as const;
  const report = (by: string, reason: string) =>
    homeserver.as(by).post(`${client}/users/${path('@bob:localhost')}/report`, { reason });
  await add('ben', { type: 'case', subject, reporterMutedUntil: now() + 60 * minute });
  await report('alice', 'suicide');
  await report('alice', 'Spam');
  await report('carol', 'Spam');
  expect((await watcher.tells()).map(({ title }) => title)).toEqual(['1 new user report']);
  ahead += 60 * minute;
  await report('alice', 'suicide');
  expect((await watcher.tells()).map(({ title }) => title)).toEqual(['1 urgent user report']);
  await watcher.release();
});
