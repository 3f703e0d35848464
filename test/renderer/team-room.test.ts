/** Team consoles and their room: finding, joining, reading and writing it, with any server behavior. */
import { describe, expect, test } from 'vitest';
import type { IncomingReply } from '../../shared/connection.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { type Caller, localListener } from '../server/homeserver.ts';
import { memoryStorage } from './page-stub.ts';
import {
  type Interfere,
  inRoom,
  roomEvents,
  type TeamConsole,
  teamConsoles,
  teamRoomId,
} from './team-consoles.ts';

const team = teamConsoles();
const { eventually } = team;

const client = '/_chat/client/v3';
const report = (id: number) => ({ kind: 'report' as const, id });
const as = (person: string) => team.homeserver.as(person);
const outboxKey = 'gatehouse.team.admin@team';

const isMark = ({ path }: { path: string }) => path.includes('/send/io.gatehouse.team.mark/');
const rateLimited = (milliseconds: number): IncomingReply => ({
  status: 429,
  body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: milliseconds },
});
const lost = () => new ConnectionFailure('unreachable', 'The connection is lost.');

/** Returns the reports of the marks in the room, in sending order. */
const markedInRoom = async () =>
  (await roomEvents(as('admin'))).flatMap(({ content }) => (content.reports ? [content.reports] : []));

describe('a team', () => {
  test.each(['vendor', 'matrix'] as const)(
    'shares marks, notes and viewed reports, in the %s dialect',
    async (dialect) => {
      const ada = team.open('admin', { dialect });
      await eventually(() => ada.room.is).toBe('absent');
      ada.team.note(report(3), 'Kept here first');
      await team.pass(1_000);
      ada.team.mark([3], 'reviewed');
      await ada.team.sync.createRoom(['@bob:localhost']);

      const bob = team.open('bob', { dialect });
      await eventually(() => bob.room).toMatchObject({
        is: 'offered',
        room: { creator: '@admin:localhost' },
      });
      expect(bob.marks()).toEqual({});
      await team.joinFrom(bob);
      await eventually(() => bob.history(3)).toEqual(['@admin: Kept here first', '@admin reviewed']);
      expect(bob.marks()).toEqual({ 3: 'reviewed' });

      bob.team.note(report(3), 'Seen by Bob');
      for (const each of [ada, bob]) each.team.setViewing('report 3');
      await eventually(() => ada.history(3).at(-1)).toBe('@bob: Seen by Bob');
      await eventually(() => ada.team.viewers('report 3')).toEqual(['@bob:localhost']);
      await eventually(() => bob.team.viewers('report 3')).toEqual(['@admin:localhost']);

      bob.team.mark([3], 'open');
      await eventually(() => ada.history(3).at(-1)).toBe('@bob open');
      expect(ada.marks()).toEqual({});
    },
  );

  test('also shares the status of user reports', async () => {
    const ada = await team.create();
    const bob = await team.join();
    for (const each of [ada, bob]) each.team.setViewing('user_report 2');
    bob.team.mark([2], 'reviewed', 'user_report');
    await eventually(() => ada.marks('user_report')).toEqual({ 2: 'reviewed' });
    await eventually(() => ada.team.viewers('user_report 2')).toEqual(['@bob:localhost']);
    expect(ada.marks()).toEqual({});
    expect(ada.team.viewers('report 2')).toEqual([]);
  });

  test("isn't created automatically: everything stays on this device", async () => {
    const ada = team.open('admin');
    await eventually(() => ada.team.sync.state).toBe('local');
    ada.team.note(report(2), 'For me');
    await team.pass(1_000);
    ada.team.mark([2], 'reviewed');
    team.close(ada);
    const again = team.open('admin', { storage: ada.storage });
    expect(again.history(2)).toEqual(['@admin: For me', '@admin reviewed']);
    await eventually(() => again.marks()).toEqual({ 2: 'reviewed' });
    expect((await as('admin').get('/_service/admin/v1/rooms?search_term=gatehouse')).body.rooms).toEqual([]);
  });
});

describe('entries waiting to be sent', () => {
  test('keep the page from closing if storage refused them', async () => {
    const storage = memoryStorage();
    const ada = team.open('admin', { storage });
    const closes = () => team.page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    storage.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    expect(closes()).toBe(true);
    ada.team.note(report(2), 'For me');
    expect(ada.team.sync.isLostWithPage).toBe(true);
    expect(closes()).toBe(false);
  });

  test('survive simultaneous writes of another tab', async () => {
    const ada = team.open('admin');
    await eventually(() => ada.room.is).toBe('absent');
    ada.team.note(report(1), 'Of this tab');
    // The other tab doesn't know about it yet.
    ada.storage.setItem(outboxKey, '[]');
    team.page.dispatchEvent(
      Object.assign(new Event('storage'), { storageArea: ada.storage, key: outboxKey }),
    );
    expect(ada.history(1)).toEqual([]);
    await team.pass(6_000);
    expect(ada.history(1)).toEqual(['@admin: Of this tab']);
    expect(JSON.parse(ada.storage.getItem(outboxKey) ?? '')).toMatchObject([
      { body: { text: 'Of this tab' } },
    ]);
  });

  test('are sent once and in order after being offline', async () => {
    const ada = await team.create();
    const bob = await team.join();
    // The first reply is lost, but the server received the request.
    ada.interfere = async ({ path }, forward) => {
      const reply = await forward();
      if (!path.includes('/send/')) return reply;
      ada.isOffline = true;
      throw lost();
    };
    ada.team.note(report(3), 'First');
    await eventually(() => ada.isOffline).toBe(true);
    await team.pass(1_000);
    ada.team.note(report(3), 'Second');
    await team.pass(1_000);
    ada.team.mark([3], 'reviewed');
    expect(ada.marks()).toEqual({ 3: 'reviewed' });
    team.close(ada);
    team.open('admin', { storage: ada.storage });

    await eventually(() => bob.history(3)).toEqual(['@admin: First', '@admin: Second', '@admin reviewed']);
    const sent = (await roomEvents(as('admin'))).map(({ type, content }) => content.text ?? type);
    expect(sent).toEqual(['First', 'Second', 'io.gatehouse.team.mark']);
  });

  test('survive a server restart', async () => {
    const ada = await team.create();
    const bob = await team.join();
    ada.team.note(report(2), 'Before');
    await eventually(() => bob.history(2)).toEqual(['@admin: Before']);
    const { homeserver } = team;
    homeserver.config.listeners = [{ ...localListener, port: Number(new URL(homeserver.url).port) }];
    await homeserver.stop();
    ada.team.note(report(2), 'Meanwhile');
    await eventually(() => ada.team.sync.state).toBe('offline');
    await homeserver.restart();
    await eventually(() => bob.history(2).at(-1)).toBe('@admin: Meanwhile');
    bob.team.note(report(2), 'After');
    await eventually(() => ada.history(2)).toEqual(['@admin: Before', '@admin: Meanwhile', '@bob: After']);
  });

  test('are sent together if the server is rate-limited, each with its time', async () => {
    const ada = await team.create();
    let refused = 0;
    ada.interfere = (request, forward) => {
      if (!isMark(request)) return forward();
      refused++;
      return Promise.resolve(rateLimited(3_000));
    };
    for (const id of [4, 3, 2]) {
      ada.team.mark([id], 'reviewed');
      // Rejected entries stay; later ones can still be sent together.
      await eventually(() => refused).toBeGreaterThan(0);
    }
    ada.interfere = undefined;
    await eventually(markedInRoom).toEqual([[4], [3, 2]]);
    const delays = (await roomEvents(as('admin'))).map(({ content }) => content.delays);
    const [first = 0, second = 0] = delays[1] as number[];
    expect(first - second).toBeGreaterThanOrEqual(1_000);
  });

  test('are retried within minutes, even if the server asks to wait longer', async () => {
    const ada = await team.create();
    let asked = 0;
    ada.interfere = (request, forward) =>
      !isMark(request) || ++asked > 2 ? forward() : Promise.resolve(rateLimited(1e308));
    ada.team.mark([1], 'reviewed');
    await eventually(() => asked).toBe(1);
    await team.pass(20_000);
    expect(asked).toBe(1);
    await team.pass(120_000);
    await eventually(markedInRoom).toEqual([[1]]);
  });

  test('wait as long as the server asks, also after reconnecting', async () => {
    const ada = await team.create();
    let asked = 0;
    let isBroken = false;
    ada.interfere = async (request, forward) => {
      if (isBroken && request.path.includes('/messages')) throw lost();
      if (!isMark(request)) return forward();
      asked++;
      return rateLimited(45_000);
    };
    ada.team.mark([1], 'reviewed');
    await eventually(() => asked).toBe(1);
    isBroken = true;
    await eventually(() => ada.team.sync.state).toBe('offline');
    isBroken = false;
    ada.team.sync.retry();
    await eventually(() => ada.team.sync.state).toBe('shared');
    await team.pass(5_000);
    expect(asked).toBe(1);
    await team.pass(30_000);
    await eventually(() => asked).toBe(2);
  });

  test("sent together don't end an escalation that wasn't seen", async () => {
    const ada = await team.create();
    const bob = await team.join();
    // The first request is sent alone when the connection fails; the others wait in the queue.
    ada.interfere = async (request, forward) => {
      if (!isMark(request)) return forward();
      ada.isOffline = true;
      throw lost();
    };
    ada.team.mark([3], 'reviewed');
    await eventually(() => ada.isOffline).toBe(true);
    ada.interfere = undefined;
    ada.team.mark([2], 'reviewed');
    bob.team.mark([1], 'escalated');
    await eventually(markedInRoom).toEqual([[1]]);
    ada.team.mark([1], 'reviewed');
    ada.isOffline = false;

    await eventually(() => bob.history(1)).toEqual(['@bob escalated', '@admin reviewed']);
    const marks = { 1: 'escalated', 2: 'reviewed', 3: 'reviewed' };
    expect(bob.marks()).toEqual(marks);
    await eventually(() => ada.marks()).toEqual(marks);
    expect(await markedInRoom()).toEqual([[1], [3], [2, 1]]);
  });

  test('apply in the order of the clicks, even if the first request was slow', async () => {
    const ada = await team.create();
    const bob = await team.join();
    const held = Promise.withResolvers<void>();
    let isHeld = false;
    ada.interfere = async (request, forward) => {
      if (isMark(request)) {
        isHeld = true;
        await held.promise;
      }
      return forward();
    };
    ada.team.mark([1], 'reviewed');
    await eventually(() => isHeld).toBe(true);
    ada.team.mark([1], 'open');
    // The first mark reaches the server so late that it seems newer than the second.
    await team.pass(5_000);
    held.resolve();
    await eventually(() => bob.history(1)).toEqual(['@admin reviewed', '@admin open']);
    expect(bob.marks()).toEqual({});
  });
});

describe('new events', () => {
  const ownDevice: IncomingReply = { status: 200, body: { device_id: 'D', display_name: 'Gatehouse' } };

  test("aren't polled without a pause if the server's sync never waits", async () => {
    let asked = 0;
    await team.create('admin', {
      interfere: async ({ path }, forward) => {
        if (path.includes('/devices/')) return ownDevice;
        if (!path.includes('/sync?')) return forward();
        return { status: 200, body: { next_batch: `${asked++ % 2}` } };
      },
    });
    await eventually(() => asked).toBeGreaterThan(2);
    const before = asked;
    await team.pass(10_000);
    expect(asked - before).toBeGreaterThan(2);
    expect(asked - before).toBeLessThanOrEqual(11);
  });

  test('arrive within seconds even if sync stops announcing them', async () => {
    let asked = 0;
    let [isAway, hasFailed] = [false, false];
    const ada = await team.create('admin', {
      interfere: async ({ path }, forward) => {
        if (path.includes('/devices/')) return ownDevice;
        if (!path.includes('/sync?')) return forward();
        hasFailed = isAway;
        if (isAway) return { status: 502, body: undefined };
        const rooms = { join: { [await teamRoomId(as('admin'))]: {} } };
        return { status: 200, body: { next_batch: `${++asked}`, rooms } };
      },
    });
    const bob = await team.join();
    await eventually(() => asked).toBeGreaterThan(2);
    isAway = true;
    await eventually(() => hasFailed).toBe(true);
    const began = Date.now();
    bob.team.mark([2], 'reviewed');
    await eventually(() => ada.marks()).toEqual({ 2: 'reviewed' });
    expect(Date.now() - began).toBeLessThan(12_000);
  });

  test('of a long history arrive before the rest', async () => {
    const storage = memoryStorage();
    team.close(await team.create('admin', { storage }));
    const admin = as('admin');
    const path = await inRoom(admin, 'send/io.gatehouse.team');
    await admin.put(`${path}.note/old`, { subject: report(2), text: 'The oldest' });
    await admin.put(`${path}.mark/older`, { reports: [1], state: 'escalated' });
    for (let id = 1; id <= 120; id++)
      await admin.put(`${path}.mark/${id}`, { reports: [1000 + id], state: 'open' });
    await admin.put(`${path}.note/new`, { subject: report(2), text: 'The newest' });

    const held = Promise.withResolvers<void>();
    const ada = team.open('admin', {
      interfere: async (request, forward) => {
        if (/messages\?dir=b.*from=/.test(request.path)) await held.promise;
        return forward();
      },
    });
    await eventually(() => ada.history(2)).toEqual(['@admin: The newest']);
    expect(ada.team.areMarksLoading).toBe(true);
    ada.team.note(report(2), 'Written meanwhile');
    expect(ada.marks()).toEqual({});
    held.resolve();
    await eventually(() => ada.marks()).toEqual({ 1: 'escalated' });
    expect(ada.history(2)).toEqual(['@admin: The oldest', '@admin: The newest', '@admin: Written meanwhile']);
    expect(ada.team.areMarksKnown).toBe(true);
  });

  test('of the wrong shape change nothing, and redacted entries disappear', async () => {
    const ada = await team.create();
    const admin = as('admin');
    const path = await inRoom(admin, 'send/io.gatehouse.team');
    const subject = report(2);
    const wrong = [
      ['mark', { reports: 'all', state: 'reviewed' }],
      ['mark', { reports: [2], state: '<img src=x>' }],
      ['mark', { reports: [-1, 0], state: 'escalated' }],
      ['note', { subject, text: 'x'.repeat(9000) }],
      ['note', { subject: { kind: 'report' }, text: 'nowhere' }],
      ['action', { action: 'erase' }],
      ['looking', { report: 'everything' }],
    ] as const;
    for (const [index, [type, content]] of wrong.entries())
      expect((await admin.put(`${path}.${type}/${index}`, content)).status).toBe(200);
    const { body } = await admin.put(`${path}.note/right`, { subject, text: 'Right' });
    await eventually(() => ada.team.entries.length).toBe(1);
    expect(ada.history(2)).toEqual(['@admin: Right']);
    const redaction = `redact/${encodeURIComponent(body.event_id)}/r`;
    expect((await admin.put(await inRoom(admin, redaction), {})).status).toBe(200);
    await eventually(() => ada.team.entries).toEqual([]);
  });
});

describe('the team room', () => {
  test('is offered soon after a colleague created it', async () => {
    const bob = team.open('bob');
    await eventually(() => bob.room.is).toBe('absent');
    await team.create();
    await team.pass(10_000);
    expect(bob.room.is).toBe('offered');
  });

  test('is one, even if two admins create it at the same moment', async () => {
    const both = Promise.withResolvers<void>();
    let creating = 0;
    const interfere: Interfere = async ({ path }, forward) => {
      if (path.endsWith('/createRoom')) {
        if (++creating === 2) both.resolve();
        await both.promise;
      }
      return forward();
    };
    const consoles = ['admin', 'bob'].map((person) => team.open(person, { interfere }));
    const made = await Promise.allSettled(consoles.map((each) => each.team.sync.createRoom([])));
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const later = consoles[made.findIndex(({ status }) => status === 'rejected')] as TeamConsole;
    await team.joinFrom(later);
    const [ada, bob] = consoles as [TeamConsole, TeamConsole];
    ada.team.note(report(2), 'One room');
    await eventually(() => bob.history(2)).toEqual(['@admin: One room']);
  });

  test('admits an uninvited admin, without power', async () => {
    const ada = await team.create();
    ada.team.note(report(1), 'Before Alice');
    await eventually(async () => (await roomEvents(as('admin'))).length).toBe(1);
    team.close(ada);
    await team.makeAdmin('alice');
    const alice = await team.join('alice');
    await eventually(() => alice.history(1)).toEqual(['@admin: Before Alice']);
    await eventually(powerLevels).toEqual({ '@admin:localhost': 100 });
  });

  test('admits two at the same moment, and neither keeps power', async () => {
    const ada = await team.create();
    ada.team.note(report(1), 'Before the others');
    await eventually(async () => (await roomEvents(as('admin'))).length).toBe(1);
    team.close(ada);
    const both = Promise.withResolvers<void>();
    let reading = 0;
    // Both read the room's power levels before either gives up its own.
    const interfere: Interfere = async ({ method, path }, forward) => {
      const reply = await forward();
      if (method === 'GET' && path.endsWith('/state/m.room.power_levels') && ++reading <= 2) {
        if (reading === 2) both.resolve();
        await both.promise;
      }
      return reply;
    };
    const people = ['alice', 'carol'];
    for (const person of people) await team.makeAdmin(person);
    const consoles = people.map((person) => team.open(person, { interfere }));
    for (const each of consoles) await eventually(() => each.room.is).toBe('offered');
    const joined = Promise.all(consoles.map((each) => each.team.sync.joinRoom()));
    for (const each of consoles)
      await eventually(() => each.history(1)).toEqual(['@admin: Before the others']);
    await joined;
    await eventually(powerLevels).toEqual({ '@admin:localhost': 100 });
    const [alice, carol] = consoles as [TeamConsole, TeamConsole];
    alice.team.note(report(1), 'Here we are');
    await eventually(() => carol.history(1).at(-1)).toBe('@alice: Here we are');
  });

  const powerLevels = async () => {
    const admin = as('admin');
    return (await admin.get(await inRoom(admin, 'state/m.room.power_levels'))).body.users;
  };

  test("isn't another room under its alias, which can be reclaimed", async () => {
    const [mallory, admin] = [as('carol'), as('admin')];
    const { body } = await mallory.post(`${client}/createRoom`, {
      room_alias_name: 'gatehouse-team',
      name: 'Gatehouse team',
      preset: 'private_chat',
      creation_content: { type: 'io.gatehouse.team', 'm.federate': false },
      invite: ['@admin:localhost', '@bob:localhost'],
    });
    const room = encodeURIComponent(body.room_id);
    // Even an admin tricked into joining the room receives nothing from it.
    await admin.post(`${client}/join/${room}`, {});
    await admin.put(`${client}/user/${encodeURIComponent(admin.userId)}/account_data/io.gatehouse.team`, {
      room_id: body.room_id,
    });
    for (const who of [mallory, admin]) {
      await who.put(`${client}/rooms/${room}/send/io.gatehouse.team.mark/1`, {
        reports: [1],
        state: 'reviewed',
      });
    }

    const ada = team.open('admin');
    await eventually(() => ada.room).toMatchObject({ is: 'absent', takenBy: '@carol:localhost' });
    expect(ada.marks()).toEqual({});
    await ada.team.sync.createRoom([]);
    expect(await teamRoomId(admin)).not.toBe(body.room_id);
    ada.team.mark([2], 'reviewed');
    await eventually(markedInRoom).toEqual([[2]]);
    expect(ada.marks()).toEqual({ 2: 'reviewed' });
  });

  test('stops counting admins if the server lists them endlessly', async () => {
    let asked = 0;
    const ada = team.open('admin', {
      interfere: async ({ path }, forward) => {
        if (!path.includes('/v2/users?admins=true')) return forward();
        asked++;
        return {
          status: 200,
          body: { users: [{ name: '@admin:localhost', admin: true }], next_token: 'again' },
        };
      },
    });
    expect([...(await ada.team.sync.administrators())]).toEqual(['@admin:localhost']);
    expect(asked).toBeLessThan(10);
  });
});

describe('admins', () => {
  test('alone count: former ones are shown and can be removed, their statuses stay', async () => {
    const ada = await team.create();
    const bob = await team.join();
    bob.team.mark([1], 'reviewed');
    await eventually(() => ada.marks()).toEqual({ 1: 'reviewed' });
    team.close(bob);
    team.close(ada);
    await team.makeAdmin('bob', false);
    const path = await inRoom(as('admin'), 'send/io.gatehouse.team.mark');
    const sent = await as('bob').put(`${path}/late`, { reports: [2], state: 'reviewed' });
    expect(sent.status).toBe(200);

    const again = team.open('admin', { storage: ada.storage });
    await eventually(() => again.room).toMatchObject({ is: 'open', room: { nonAdmins: ['@bob:localhost'] } });
    expect(again.marks()).toEqual({});
    await again.team.sync.removeNonAdmins();
    await eventually(() => again.room).toMatchObject({ is: 'open', room: { nonAdmins: [] } });
    const later = await as('bob').put(`${path}/later`, { reports: [2], state: 'reviewed' });
    expect(later.status).toBe(403);

    const former = again.team.sync.ignoredMarks().map(({ reportId, by }) => [reportId, by]);
    expect(Object.fromEntries(former)).toEqual({ 1: '@bob:localhost', 2: '@bob:localhost' });
    again.team.sync.adoptIgnoredMarks();
    expect(again.marks()).toEqual({ 1: 'reviewed', 2: 'reviewed' });
    const keptInRoom = async () =>
      (await roomEvents(as('admin')))
        .filter(({ sender }) => sender === '@admin:localhost')
        .flatMap(({ content }) => (content.reports as number[]).map((id) => [id, content.state]));
    await eventually(async () => Object.fromEntries(await keptInRoom())).toEqual({
      1: 'reviewed',
      2: 'reviewed',
    });
    expect(again.team.sync.ignoredMarks()).toEqual([]);
  });

  test('are found among a thousand invited strangers', async () => {
    await team.create();
    const asked = new Set<string>();
    const bob = await team.join('bob', {
      interfere: async ({ path }, forward) => {
        if (/\/v2\/users\/%40stranger/.test(path)) {
          asked.add(path);
          return { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'User not found' } };
        }
        const reply = await forward();
        if (!/\/v1\/rooms\/[^/]+\/state$/.test(path)) return reply;
        const invited = Array.from({ length: 1000 }, (_, index) => ({
          ...{ type: 'm.room.member', state_key: `@stranger${index}:localhost`, sender: '@carol:localhost' },
          ...{ event_id: `$${index}`, origin_server_ts: 0, content: { membership: 'invite' } },
        }));
        return { ...reply, body: { state: [...invited, ...(reply.body as { state: unknown[] }).state] } };
      },
    });
    if (bob.room.is !== 'open') throw new Error(bob.room.is);
    expect([...bob.room.room.administrators].sort()).toEqual(['@admin:localhost', '@bob:localhost']);
    expect(bob.room.room.nonAdmins).toContain('@stranger0:localhost');
    expect(asked.size).toBeLessThan(1000);
  });

  /** Counts a console's admin checks and its reads of the room. */
  function countQuestions() {
    const members = ['@admin:localhost', '@bob:localhost'];
    const counted = { asked: [] as string[], looks: 0 };
    const interfere: Interfere = ({ path }, forward) => {
      const [, userId, query = ''] = /\/v2\/users(?:\/([^/?]+))?(\?.*)?$/.exec(path) ?? [];
      const about = userId === undefined ? query : decodeURIComponent(userId);
      if (about.includes('admins=') || members.includes(about)) counted.asked.push(about);
      if (/\/v1\/rooms\/[^/]+\/state$/.test(path)) counted.looks++;
      return forward();
    };
    return { counted, interfere };
  }

  test('are checked one by one, and again after ten minutes', async () => {
    const { counted, interfere } = countQuestions();
    team.close(await team.create());
    const bob = await team.join('bob', { interfere });
    const before = counted.looks;
    team.page.hidden = true;
    await team.pass(3 * 60_000);
    expect(counted.looks).toBeGreaterThanOrEqual(before + 3);
    // Only admins can sign in, so the console doesn't check its own user.
    expect(counted.asked).toEqual(['@admin:localhost']);
    await team.pass(8 * 60_000);
    await eventually(() => counted.asked).toEqual(['@admin:localhost', '@admin:localhost']);
    expect(bob.team.sync.state).toBe('shared');
  });

  test('no longer count ten minutes after losing admin rights', async () => {
    const ada = await team.create();
    await team.join();
    await eventually(() => ada.room).toMatchObject({
      room: { administrators: new Set(['@admin:localhost', '@bob:localhost']) },
    });
    await team.makeAdmin('bob', false);
    team.page.hidden = true;
    await team.pass(11 * 60_000);
    await eventually(() => ada.room).toMatchObject({ is: 'open', room: { nonAdmins: ['@bob:localhost'] } });
  });
});

/** Gives a user power in the room and removes its alias. */
async function spoilRoom(admin: Caller, userId = '@carol:localhost'): Promise<void> {
  const state = await inRoom(admin, 'state');
  const levels = (await admin.get(`${state}/m.room.power_levels`)).body;
  const users = { ...levels.users, [userId]: 50 };
  await admin.put(`${state}/m.room.power_levels`, { ...levels, users });
  await admin.put(`${state}/m.room.tombstone`, { body: 'Closed', replacement_room: '!nowhere:localhost' });
  await admin.delete(`${client}/directory/room/${encodeURIComponent('#gatehouse-team:localhost')}`);
}

async function deleteRoom(admin: Caller): Promise<void> {
  const room = encodeURIComponent(await teamRoomId(admin));
  expect((await admin.delete(`/_service/admin/v2/rooms/${room}`, {})).status).toBe(200);
  await eventually(async () => (await admin.get(`/_service/admin/v1/rooms/${room}`)).status).toBe(404);
}

describe('statuses of a lost room', () => {
  test.each([
    ['its creator is no longer an admin', undefined, { isGone: false, others: ['@bob:localhost'] }],
    ['others get power there', spoilRoom, { isGone: false, others: ['@carol:localhost'] }],
    [
      'remote users get power there',
      (admin: Caller) => spoilRoom(admin, '@eve:elsewhere.example'),
      { isGone: false, others: ['@eve:elsewhere.example'] },
    ],
    ['it is deleted', deleteRoom, { isGone: true, others: [] }],
  ])('stay and move to the next one: %s', async (_, spoil, lost) => {
    const admin = as('admin');
    const creator = await team.create(spoil ? 'admin' : 'bob');
    const before = await teamRoomId(admin);
    const ada = spoil ? creator : await team.join('admin');
    ada.team.mark([3], 'reviewed');
    await eventually(async () => (await roomEvents(admin)).length).toBe(1);
    await eventually(() => creator.marks()).toEqual({ 3: 'reviewed' });
    if (spoil) await spoil(admin);
    else team.close(creator);
    if (!spoil) await team.makeAdmin('bob', false);

    // Admin checks are cached for ten minutes.
    team.page.hidden = true;
    await team.pass(spoil ? 60_000 : 11 * 60_000);
    await eventually(() => ada.room).toMatchObject({ is: 'absent', lost });
    expect(ada.marks()).toEqual({ 3: 'reviewed' });
    await ada.team.sync.createRoom([]);
    expect(await teamRoomId(admin)).not.toBe(before);
    await eventually(markedInRoom).toEqual([[3]]);
    expect(ada.marks()).toEqual({ 3: 'reviewed' });
  });

  const hour = 3_600_000;

  /** Returns the age of each mark in the room, in milliseconds, by report. */
  async function agesInRoom(): Promise<Record<number, number>> {
    const ages: Record<number, number> = {};
    for (const { content, origin_server_ts } of await roomEvents(as('admin'))) {
      const {
        reports,
        delays,
        delay = 0,
      } = content as {
        reports: number[];
        delays?: number[];
        delay?: number;
      };
      for (const [index, id] of reports.entries())
        ages[id] = Date.now() - origin_server_ts + (delays?.[index] ?? delay);
    }
    return ages;
  }

  test("move to a colleague's room with their times, before other waiting entries", async () => {
    const admin = as('admin');
    const ada = await team.create();
    const old = await inRoom(admin, 'send/io.gatehouse.team.mark');
    const marks = [
      { reports: [4], state: 'escalated', delay: 3 * hour },
      { reports: [2], state: 'escalated', delay: 2 * hour },
      { reports: [3], state: 'reviewed', delay: hour },
    ];
    for (const mark of marks) await admin.put(`${old}/${mark.delay}`, mark);
    const escalated = { 2: 'escalated', 3: 'reviewed', 4: 'escalated' };
    await eventually(() => ada.marks()).toEqual(escalated);
    await spoilRoom(admin);
    const bob = await team.create('bob');
    await eventually(() => ada.room.is).toBe('offered');
    expect(bob.marks()).toEqual({});
    ada.team.mark([1], 'escalated');
    await team.joinFrom(ada);

    const all = { 1: 'escalated', ...escalated };
    await eventually(() => bob.marks()).toEqual(all);
    expect(ada.marks()).toEqual(all);
    const hours = Object.entries(await agesInRoom()).map(([id, age]) => [id, Math.round(age / hour)]);
    expect(Object.fromEntries(hours)).toEqual({ 1: 0, 2: 2, 3: 1, 4: 3 });
  });

  test('move to the next one, which colleagues are invited to, even if it is found while it is being created', async () => {
    const ada = await team.create('admin');
    const bob = await team.join('bob');
    bob.team.mark([3], 'reviewed');
    await eventually(() => ada.marks()).toEqual({ 3: 'reviewed' });
    team.close(bob);
    await deleteRoom(as('admin'));
    await eventually(() => ada.room.is).toBe('absent');
    ada.interfere = async ({ method, path }, forward) => {
      // Stores the ID of the new room. Meanwhile the console looks for the alias.
      if (method === 'PUT' && path.includes('/account_data/')) await team.pass(12_000);
      return forward();
    };
    await ada.team.sync.createRoom(['@bob:localhost']);
    await eventually(markedInRoom).toEqual([[3]]);
    expect(ada.marks()).toEqual({ 3: 'reviewed' });
    await eventually(
      async () => (await as('admin').get(await inRoom(as('admin'), 'members'))).body.chunk,
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          state_key: '@bob:localhost',
          content: expect.objectContaining({ membership: 'invite' }),
        }),
      ]),
    );
  });
});
