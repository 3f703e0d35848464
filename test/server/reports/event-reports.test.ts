import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  insertReport,
  insertReports,
  type NewReport,
} from '../../../server/administration/reports/event-report-store.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const path = '/_service/admin/v1/event_reports';
const base = Date.UTC(2026, 5, 1);

let homeserver: TestHomeserver;
/** Report IDs, oldest first. */
let ids: number[];
let realRoom: string;
let realEvent: string;

/** 260 reports: two per millisecond, alternating between two reporters, with three senders and two rooms. */
const bulk: NewReport[] = Array.from({ length: 259 }, (_, index) => ({
  receivedTs: base + Math.floor(index / 2),
  roomId: index % 4 === 0 ? '!quiet:localhost' : '!busy:localhost',
  eventId: `$event${index}`,
  userId: index % 2 === 0 ? '@alice:localhost' : '@bob:localhost',
  sender: ['@mallory:localhost', '@trudy:localhost', '@eve:localhost'][index % 3] as string,
  reason: index % 5 === 0 ? null : `reason ${index}`,
  score: index % 7 === 0 ? null : -(index % 101),
}));

async function file(reports: NewReport[]): Promise<number[]> {
  const filed: number[] = [];
  await inTransaction(homeserver.services.db, async (tx) => {
    for (const report of reports) filed.push(await insertReport(tx, report));
  });
  return filed;
}

beforeAll(async () => {
  homeserver = await startHomeserver();
  ids = await file(bulk);
  // The last one is filed over HTTP, on a real event.
  const { body: room } = await homeserver.as('alice').post('/_chat/client/v3/createRoom', {
    preset: 'public_chat',
    name: 'Lobby',
    room_alias_name: 'lobby',
  });
  realRoom = room.room_id;
  const rooms = `/_chat/client/v3/rooms/${encodeURIComponent(realRoom)}`;
  const sent = await homeserver
    .as('alice')
    .put(`${rooms}/send/m.room.message/1`, { msgtype: 'm.text', body: 'rude words' });
  realEvent = sent.body.event_id;
  await homeserver.as('bob').post(`${rooms}/join`, {});
  await homeserver
    .as('bob')
    .post(`${rooms}/report/${encodeURIComponent(realEvent)}`, { reason: 'rude', score: -80 });
  const { body } = await homeserver.as('admin').get(`${path}?limit=1`);
  ids.push(body.event_reports[0].id);
});
afterAll(() => homeserver.remove());

const list = async (query = '') => (await homeserver.as('admin').get(`${path}${query}`)).body;
const idsOf = (page: { event_reports: { id: number }[] }) => page.event_reports.map((report) => report.id);

describe.each([
  ['vendor', '/_service'],
  ['matrix', '/_synapse'],
])('in the %s dialect', (_, administration) => {
  const reports = `${administration}/admin/v1/event_reports`;

  test.each<[string, string, string, string, number, string]>([
    ['nobody', 'guest', 'get', reports, 401, 'M_MISSING_TOKEN'],
    ['not an administrator', 'alice', 'get', reports, 403, 'M_FORBIDDEN'],
    ['bad order', 'admin', 'get', `${reports}?dir=up`, 400, 'M_INVALID_PARAM'],
    ['before zero', 'admin', 'get', `${reports}?from=-1`, 400, 'M_INVALID_PARAM'],
    ['a negative number', 'admin', 'get', `${reports}?limit=-1`, 400, 'M_INVALID_PARAM'],
    ["a limit that isn't a number", 'admin', 'get', `${reports}?limit=many`, 400, 'M_INVALID_PARAM'],
    ['an empty limit', 'admin', 'get', `${reports}?limit=`, 400, 'M_INVALID_PARAM'],
    ['half a report', 'admin', 'get', `${reports}?limit=1.5`, 400, 'M_INVALID_PARAM'],
    ['hexadecimal', 'admin', 'get', `${reports}?limit=0x10`, 400, 'M_INVALID_PARAM'],
    [
      'an offset beyond every number',
      'admin',
      'get',
      `${reports}?from=99999999999999999999`,
      400,
      'M_INVALID_PARAM',
    ],
    ['detail, anonymously', 'guest', 'get', `${reports}/1`, 401, 'M_MISSING_TOKEN'],
    ['detail, by a user', 'alice', 'get', `${reports}/1`, 403, 'M_FORBIDDEN'],
    ['detail of no report', 'admin', 'get', `${reports}/999999`, 404, 'M_NOT_FOUND'],
    ['detail of a word', 'admin', 'get', `${reports}/one`, 400, 'M_INVALID_PARAM'],
    ['detail of a negative ID', 'admin', 'get', `${reports}/-1`, 400, 'M_INVALID_PARAM'],
    ['detail beyond every number', 'admin', 'get', `${reports}/${'9'.repeat(40)}`, 404, 'M_NOT_FOUND'],
    ['deletion, anonymously', 'guest', 'delete', `${reports}/1`, 401, 'M_MISSING_TOKEN'],
    ['deletion by a user', 'alice', 'delete', `${reports}/1`, 403, 'M_FORBIDDEN'],
    ['deletion of no report', 'admin', 'delete', `${reports}/999999`, 404, 'M_NOT_FOUND'],
    ['deletion of a word', 'admin', 'delete', `${reports}/one`, 400, 'M_INVALID_PARAM'],
  ])('refuses %s', async (_, caller, method, url, status, errcode) => {
    const reply = await homeserver.as(caller)[method as 'get' | 'delete'](url);
    expect(reply).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });
});

describe('the list', () => {
  test('returns the newest hundred reports, the total and the next token by default', async () => {
    const page = await list();
    expect(idsOf(page)).toEqual(ids.toReversed().slice(0, 100));
    expect(page).toMatchObject({ total: 260, next_token: 100 });
  });

  test.each([
    ['b', 70],
    ['b', 1000],
    ['f', 33],
  ])('returns every report once, page by page: dir %s, limit %i', async (dir, limit) => {
    const seen: number[] = [];
    let from: number | undefined = 0;
    while (from !== undefined) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?dir=${dir}&limit=${limit}&from=${from}`);
      expect(page.total).toBe(260);
      seen.push(...idsOf(page));
      from = page.next_token;
    }
    expect(seen).toEqual(dir === 'b' ? ids.toReversed() : ids);
  });

  test('an item has every field', async () => {
    expect((await list('?limit=1')).event_reports[0]).toEqual({
      id: ids.at(-1),
      received_ts: expect.any(Number),
      room_id: realRoom,
      name: 'Lobby',
      event_id: realEvent,
      user_id: '@bob:localhost',
      reason: 'rude',
      score: -80,
      sender: '@alice:localhost',
      canonical_alias: '#lobby:localhost',
    });
  });

  test('reason and score may be null, and a room may have no name', async () => {
    expect((await list('?dir=f&limit=1')).event_reports[0]).toMatchObject({
      reason: null,
      score: null,
      name: null,
      canonical_alias: null,
    });
  });

  test.each<[string, (report: NewReport) => boolean]>([
    ['user_id=@alice:localhost', ({ userId }) => userId === '@alice:localhost'],
    ['room_id=!quiet:localhost', ({ roomId }) => roomId === '!quiet:localhost'],
    ['event_sender_user_id=@eve:localhost', ({ sender }) => sender === '@eve:localhost'],
    [
      'user_id=@alice:localhost&room_id=!busy:localhost&event_sender_user_id=@trudy:localhost',
      (report) =>
        report.userId === '@alice:localhost' &&
        report.roomId === '!busy:localhost' &&
        report.sender === '@trudy:localhost',
    ],
    ['user_id=@alice', () => false],
    ['user_id=@ALICE:localhost', () => false],
    ['user_id=%25', () => false],
    ['room_id=!nowhere:localhost', () => false],
  ])('filters exactly: %s', async (filter, keeps) => {
    const expected = ids.filter((_, index) => bulk[index] && keeps(bulk[index]));
    const page = await list(`?dir=f&limit=1000&${filter}`);
    expect(idsOf(page)).toEqual(expected);
    expect(page.total).toBe(expected.length);
    expect(page).not.toHaveProperty('next_token');
  });

  test('pages a filtered list', async () => {
    const first = await list('?event_sender_user_id=@eve:localhost&limit=50');
    const second = await list(`?event_sender_user_id=@eve:localhost&limit=50&from=${first.next_token}`);
    expect(first.total).toBe(86);
    expect(idsOf(first)).toHaveLength(50);
    expect(idsOf(second)).toHaveLength(36);
    expect(second).not.toHaveProperty('next_token');
  });

  test.each([
    ['?limit=0', { event_reports: [], total: 260, next_token: 0 }],
    ['?from=260', { event_reports: [], total: 260 }],
    ['?from=100000', { event_reports: [], total: 260 }],
  ])('returns no reports for %s', async (query, page) => {
    expect(await list(query)).toEqual(page);
  });

  test('ignores unknown and repeated parameters', async () => {
    expect(await list('?limit=3&limit=7&colour=red')).toMatchObject({ event_reports: { length: 3 } });
  });

  test('returns at most a thousand', async () => {
    const crowded = await startHomeserver();
    const many = Array.from({ length: 1001 }, (_, index) => ({
      ...(bulk[0] as NewReport),
      eventId: `$${index}`,
    }));
    await inTransaction(crowded.services.db, (tx) => insertReports(tx, many));
    const { body } = await crowded.as('admin').get(`${path}?limit=5000`);
    expect(body.event_reports).toHaveLength(1000);
    expect(body).toMatchObject({ total: 1001, next_token: 1000 });
    await crowded.remove();
  });
});

describe('the detail', () => {
  test('has the event as it was sent', async () => {
    const { status, body } = await homeserver.as('admin').get(`${path}/${ids.at(-1)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: ids.at(-1),
      reason: 'rude',
      sender: '@alice:localhost',
      event_json: {
        auth_events: expect.arrayContaining([expect.stringMatching(/^\$/)]),
        content: { msgtype: 'm.text', body: 'rude words' },
        depth: expect.any(Number),
        hashes: { sha256: expect.any(String) },
        origin_server_ts: expect.any(Number),
        prev_events: [expect.stringMatching(/^\$/)],
        prev_state: [],
        room_id: realRoom,
        sender: '@alice:localhost',
        signatures: { localhost: expect.any(Object) },
        type: 'm.room.message',
        unsigned: { age_ts: expect.any(Number) },
      },
    });
  });

  test('has an empty event if the event is gone', async () => {
    const { status, body } = await homeserver.as('admin').get(`${path}/${ids[1]}`);
    expect(status).toBe(200);
    expect(body.event_json).toEqual({});
  });
});

test('a deleted report is gone from the list, the detail and every total, once', async () => {
  const shrinking = await startHomeserver();
  const as = shrinking.as('admin');
  const filed: number[] = [];
  await inTransaction(shrinking.services.db, async (tx) => {
    for (const report of bulk.slice(0, 6)) filed.push(await insertReport(tx, report));
  });
  const totals = async () =>
    Promise.all(
      [
        '',
        '?user_id=@alice:localhost',
        '?room_id=!quiet:localhost',
        '?event_sender_user_id=@mallory:localhost',
      ].map(async (query) => (await as.get(`${path}${query}`)).body.total),
    );
  expect(await totals()).toEqual([6, 3, 2, 2]);
  // The first report: by Alice, in the quiet room, against Mallory.
  expect(await as.delete(`${path}/${filed[0]}`)).toMatchObject({ status: 200, body: {} });
  expect(await totals()).toEqual([5, 2, 1, 1]);
  expect((await as.get(`${path}/${filed[0]}`)).status).toBe(404);
  expect((await as.delete(`${path}/${filed[0]}`)).status).toBe(404);
  expect(await totals()).toEqual([5, 2, 1, 1]);
  await shrinking.restart();
  expect(await totals()).toEqual([5, 2, 1, 1]);
  await shrinking.remove();
});
