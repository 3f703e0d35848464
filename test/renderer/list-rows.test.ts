/** What a row of each list shows of the server's data. */
import { beforeAll, describe, expect, test } from 'vitest';
import { actingScene, type Scene, uploads } from './acting-scene.ts';
import { changing, shownScreens } from './shown-screens.tsx';

const screens = shownScreens();
const hour = 3_600_000;
const ago = (hours: number) => Date.now() - hours * hour;

let scene: Scene;
beforeAll(async () => {
  scene = await actingScene(screens.homeserver, { messages: 3, localpart: 'mallory', name: 'Lobby' });
  await uploads(scene, 1);
});

/** Returns the screen's text with other entries in a list of the server. */
const listing = (path: string, of: RegExp, list: string, entries: readonly object[]) =>
  screens.open(path, { interfere: changing(of, () => ({ [list]: entries, total: entries.length })) });

/** Shows columns that are hidden at first. */
const withColumns = (table: string, toggled: string[]) => ({
  [`gatehouse.table.${table}`]: { toggled, wanted: toggled, widths: {} },
});

describe('users', () => {
  const row = (user: object) =>
    listing('/users', /\/v[23]\/users$/, 'users', [{ name: '@eve:localhost', ...user }]);

  test.each([
    ['without a display name', {}, '@eve:localhost @eve:localhost – –'],
    ['with one', { displayname: 'Eve' }, 'Eve @eve:localhost – –'],
    ['seen and created', { last_seen_ts: ago(2.5), creation_ts: ago(50.5) }, '2h ago'],
    ['deactivated, as a number', { deactivated: 1 }, '@eve:localhost Deactivated'],
    ['erased', { deactivated: true, erased: true }, '@eve:localhost Deactivated and erased'],
    ['locked', { locked: true }, '@eve:localhost Locked'],
    ['suspended, if the list says so', { suspended: true }, '@eve:localhost Suspended'],
    ['an admin', { admin: 1 }, '@eve:localhost Server admin'],
    ['a guest', { is_guest: true }, '@eve:localhost Guest'],
    ['of an unknown type', { user_type: 'parrot' }, '@eve:localhost parrot'],
  ])('%s', async (_, user, expected) => {
    expect(await row(user)).toContain(expected);
  });

  test("suspended by the team, as the server's list doesn't say", async () => {
    const suspension = (outcome: 'done' | 'undone' | 'failed') =>
      screens.open('/users', {
        given: (team) =>
          team.record({
            action: 'suspend-user',
            subject: { kind: 'user', userId: scene.userId },
            outcome,
            reason: '',
            reports: [],
          }),
      });
    expect(await suspension('done')).toContain('Suspended');
    expect(await suspension('undone')).not.toContain('Suspended');
    expect(await suspension('failed')).not.toContain('Suspended');
  });

  test('with the columns for admins and types', async () => {
    const users = [
      { name: '@eve:localhost', admin: true, user_type: 'bot' },
      { name: '@joe:localhost', admin: false },
    ];
    const text = await screens.open('/users', {
      stored: withColumns('users', ['admin', 'user_type']),
      interfere: changing(/\/v[23]\/users$/, () => ({ users, total: 2 })),
    });
    expect(text).toMatch(/Admin User type .*@eve:localhost .* Yes bot .*@joe:localhost [^Y]*$/);
  });
});

describe('rooms', () => {
  const row = (room: object) =>
    listing('/rooms', /\/v1\/rooms$/, 'rooms', [{ room_id: '!den:localhost', ...room }]);

  test.each([
    ['named', { name: 'The den', canonical_alias: '#den:localhost' }, 'The den #den:localhost – –'],
    ['without a name', { canonical_alias: '#den:localhost' }, '#den:localhost #den:localhost – –'],
    ['with an ID only', {}, '!den:localhost – –'],
    ['with members and state', { joined_members: 1200, state_events: 0 }, '!den:localhost 1,200 0'],
    ['encrypted', { encryption: 'm.megolm.v1.aes-sha2' }, '– – Yes'],
    ['in the directory', { public: true }, '– – Yes'],
    ['of a version by somebody', { version: '11', creator: '@alice:localhost' }, '– – 11 @alice:localhost'],
  ])('%s', async (_, room, expected) => {
    expect(await row(room)).toContain(expected);
  });

  test('with the columns that are hidden at first', async () => {
    const room = {
      room_id: '!den:localhost',
      joined_local_members: 7,
      join_rules: 'knock',
      history_visibility: 'joined',
    };
    const text = await screens.open('/rooms', {
      stored: withColumns('rooms', ['joined_local_members', 'join_rules', 'history_visibility', 'room_id']),
      interfere: changing(/\/v1\/rooms$/, () => ({ rooms: [room], total_rooms: 3 })),
    });
    expect(text).toContain('3 rooms');
    expect(text).toMatch(/– 7 – .*Invite or knock Members only \(since joined\) .*!den:localhost/);
  });
});

describe('event reports', () => {
  const shown = (changes: object) =>
    screens.open('/reports', {
      given: () => {},
      interfere: changing(/\/event_reports$/, ({ event_reports: reports, ...rest }) => ({
        ...rest,
        event_reports: (reports as object[]).slice(0, 1).map((report) => ({ ...report, ...changes })),
        total: 1,
      })),
    });

  test.each([
    ['with sender, reason, room and reporter', {}, 'Rude Lobby reported by @bob'],
    ['without a reason', { reason: null }, 'No reason given Lobby'],
    ['with a reason of several lines', { reason: '\n First \n second' }, 'First Lobby'],
    ['whose sender is unknown', { sender: null }, 'Unknown sender'],
    [
      'from a room with an address only',
      { name: null, canonical_alias: '#den:localhost' },
      'Rude #den:localhost reported',
    ],
    [
      'from a room with an ID only',
      { name: null, canonical_alias: null, room_id: '!den:localhost' },
      'Rude !den:localhost reported',
    ],
    ['from elsewhere', { sender: '@eve:else.example' }, '@eve:else.example'],
  ])('%s', async (_, report, expected) => {
    expect(await shown(report)).toContain(expected);
  });

  test('in the queue that their status says', async () => {
    const [first = 0, second = 0] = scene.reportIds;
    const given = {
      given: (team: { mark(ids: number[], state: 'reviewed' | 'escalated'): void }) => {
        team.mark([first], 'reviewed');
        team.mark([second], 'escalated');
      },
    };
    expect(await screens.open('/reports', given)).toContain('Open 1 1 Escalated 1 1 Resolved 1 1 3 reports');
    expect(await screens.open('/reports?queue=resolved', given)).toContain('1 report found @mallory');
  });
});

describe('registration tokens', () => {
  const row = (token: object) =>
    listing('/tokens', /\/registration_tokens$/, 'registration_tokens', [
      { token: 'abc', uses_allowed: null, pending: 0, completed: 0, expiry_time: null, ...token },
    ]);

  test.each([
    ['unlimited', {}, 'abc Valid 0 (unlimited) Never'],
    ['used in part', { uses_allowed: 3, completed: 2 }, 'abc Valid 2 of 3 Never'],
    [
      'used up by pending registrations',
      { uses_allowed: 3, completed: 2, pending: 1 },
      'abc Used up 2 of 3 1 Never',
    ],
    ['expired', { expiry_time: ago(2.5) }, 'abc Expired 0 (unlimited) 2h ago'],
    ['expired and used up', { expiry_time: ago(2.5), uses_allowed: 0 }, 'abc Expired 0 of 0'],
    ['that will expire', { expiry_time: ago(-2.5) }, 'abc Valid 0 (unlimited) in 2h'],
  ])('%s', async (_, token, expected) => {
    expect(await row(token)).toContain(expected);
  });

  test('matching a filter, the ones without an end last', async () => {
    const token = { uses_allowed: null, pending: 0, completed: 0 };
    const tokens = [
      { ...token, token: 'forever', expiry_time: null },
      { ...token, token: 'later', expiry_time: ago(-9) },
      { ...token, token: 'sooner', expiry_time: ago(-2) },
      { ...token, token: 'over', expiry_time: ago(2) },
    ];
    const shown = async (query: string) =>
      (await listing(`/tokens?${query}`, /\/registration_tokens$/, 'registration_tokens', tokens)).match(
        /\b(forever|later|sooner|over)\b/g,
      );
    expect(await shown('order=expiry_time&dir=f')).toEqual(['over', 'sooner', 'later', 'forever']);
    expect(await shown('order=expiry_time&dir=b')).toEqual(['forever', 'later', 'sooner', 'over']);
    expect(await shown('show=valid')).toEqual(['forever', 'later', 'sooner']);
    expect(await shown('show=expired')).toEqual(['over']);
    expect(await shown('search=LATE')).toEqual(['later']);
  });
});

describe('remote servers', () => {
  const server = (changes: object) => ({
    destination: 'far.example',
    retry_last_ts: 0,
    retry_interval: 0,
    failure_ts: null,
    last_successful_stream_ordering: null,
    ...changes,
  });
  const failing = { failure_ts: ago(50.5), retry_last_ts: ago(2.5), retry_interval: 9 * hour };

  test.each([
    ['nothing was sent to', {}, 'far.example Nothing sent yet – – –'],
    ['reachable', { last_successful_stream_ordering: 0 }, 'far.example Reachable – – –'],
    ['failing', failing, 'far.example Unreachable 2d ago'],
    ['failing, with a retry that is due', { ...failing, retry_interval: hour }, 'At next send'],
  ])('%s', async (_, changes, expected) => {
    const interfere = changing(/\/federation\/destinations$/, () => ({
      destinations: [server(changes)],
      total: 1,
    }));
    const text = await screens.open('/federation', {
      interfere: async (request, forward) => {
        const reply = await interfere(request, forward);
        return request.path.includes('/federation/destinations') ? { ...reply, status: 200 } : reply;
      },
    });
    expect(text).toContain(expected);
  });
});
