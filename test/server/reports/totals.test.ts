/** Reports are filed and deleted concurrently: no request fails, and every total matches its list. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { insertReport } from '../../../server/administration/reports/event-report-store.ts';
import { insertUserReport } from '../../../server/administration/reports/user-report-store.ts';
import { inTransaction, type Tx } from '../../../server/platform/database/transaction.ts';
import { isMatrix } from '../../matrix.ts';
import { until } from '../../until.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, say } from '../rooms/client.ts';

const people = ['alice', 'bob', 'carol'] as const;
const administration = '/_service/admin/v1';
type Person = (typeof people)[number];

let homeserver: TestHomeserver;
/** Two rooms, each with an event by every user. */
const rooms: { roomId: string; events: Record<Person, string> }[] = [];

beforeAll(async () => {
  homeserver = await startHomeserver();
  for (const creator of ['alice', 'bob'] as const) {
    const roomId = await makeRoom(homeserver.as(creator));
    const events: Partial<Record<Person, string>> = {};
    for (const person of people) {
      if (person !== creator) await change(homeserver.as(person), roomId, 'join');
      events[person] = await say(homeserver.as(person), roomId, 'hello');
    }
    rooms.push({ roomId, events: events as Record<Person, string> });
  }
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');
const idOf = (person: Person) => homeserver.as(person).userId;

const reportEvent = (reporter: Person, room: number, sender: Person) => {
  const { roomId = '', events } = rooms[room] ?? {};
  return homeserver.as(reporter).post(path('rooms', roomId, 'report', events?.[sender] ?? ''), {});
};
const reportUser = (reporter: Person, target: Person) =>
  homeserver.as(reporter).post(path('users', idOf(target), 'report'), { reason: 'rude' });

const idsOf = async (kind: 'event_reports' | 'user_reports'): Promise<number[]> =>
  (await admin().get(`${administration}/${kind}?limit=1000`)).body[kind].map(({ id }: { id: number }) => id);

async function deleteAll() {
  const deleted = (['event_reports', 'user_reports'] as const).map(async (kind) => {
    const ids = await idsOf(kind);
    return Promise.all(ids.map((id) => admin().delete(`${administration}/${kind}/${id}`)));
  });
  return (await Promise.all(deleted)).flat();
}

/** Compares the total of every combination of filters with the number of reports listed. */
async function expectTotalsRight(): Promise<void> {
  const senders = people.map((person) => `&event_sender_user_id=${idOf(person)}`);
  const reporters = people.map((person) => `&user_id=${idOf(person)}`);
  const places = rooms.map(({ roomId }) => `&room_id=${encodeURIComponent(roomId)}`);
  const targets = people.map((person) => `&target_user_id=${idOf(person)}`);
  const queries = [
    ...combine(['event_reports'], ['', ...places], ['', ...reporters], ['', ...senders]),
    ...combine(['user_reports'], ['', ...targets], ['', ...reporters]),
  ];
  for (const [kind = '', ...filters] of queries) {
    const query = `${kind}?limit=1000${filters.join('')}`;
    const { body } = await admin().get(`${administration}/${query}`);
    expect({ query, total: body.total }).toEqual({ query, total: body[kind].length });
  }
}

const combine = (...choices: string[][]): string[][] =>
  choices.reduce<string[][]>(
    (combined, choice) => combined.flatMap((begun) => choice.map((each) => [...begun, each])),
    [[]],
  );

const person = fc.constantFrom(...people);
const operation = fc.oneof(
  fc.record({ do: fc.constant('report' as const), who: person, room: fc.nat(1), sender: person }),
  fc.record({ do: fc.constant('complain' as const), who: person, target: person }),
  // Several moderators may delete the same report.
  fc.record({
    do: fc.constant('delete' as const),
    kind: fc.constantFrom('event_reports' as const, 'user_reports' as const),
    which: fc.nat(30),
  }),
);

test('reports filed and deleted at once', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 40, maxLength: 60 }), async (operations) => {
      const ids = { event_reports: await idsOf('event_reports'), user_reports: await idsOf('user_reports') };
      const replies = await Promise.all(
        operations.map((each) => {
          if (each.do === 'report') return reportEvent(each.who, each.room, each.sender);
          if (each.do === 'complain') return reportUser(each.who, each.target);
          const id = ids[each.kind][each.which] ?? 0;
          return admin().delete(`${administration}/${each.kind}/${id}`);
        }),
      );
      for (const [index, { status }] of replies.entries()) {
        // The second deletion of a report finds it gone.
        expect(operations[index]?.do === 'delete' ? [200, 404] : [200]).toContain(status);
      }
      await expectTotalsRight();
    }),
    { numRuns: isMatrix ? 5 : 2 },
  );
});

/** Returns the keys of all totals that name a room or user. */
async function namedTotals(): Promise<unknown[]> {
  const { db } = homeserver.services;
  const events = await db.selectFrom('event_report_totals').selectAll().execute();
  const users = await db.selectFrom('user_report_totals').selectAll().execute();
  const names = [
    ...events.map(({ room_id, user_id, sender }) => [room_id, user_id, sender]),
    ...users.map(({ target_user_id, user_id }) => [target_user_id, user_id]),
  ];
  return names.filter((each) => each.some((name) => name !== ''));
}

test('no totals that name users are left when all reports are deleted at once', async () => {
  for (let round = 0; round < (isMatrix ? 4 : 1); round++) {
    const filed = people.flatMap((reporter) =>
      people.flatMap((other) => [reportEvent(reporter, round % 2, other), reportUser(reporter, other)]),
    );
    for (const { status } of await Promise.all(filed)) expect(status).toBe(200);
    expect((await namedTotals()).length).toBeGreaterThan(0);
    for (const { status } of await deleteAll()) expect(status).toBe(200);
    expect(await namedTotals()).toEqual([]);
    await expectTotalsRight();
  }
});

/** Moves all counts so far to the part of the totals that a transaction uses. */
async function moveToPartOf(tx: Tx, kind: 'event_reports' | 'user_reports'): Promise<void> {
  const { db } = homeserver.services;
  const { rows } = await sql<{ part: number }>`select part_of_totals() as part`.execute(tx);
  const part = rows[0]?.part ?? 0;
  await db.updateTable(kind).set({ part }).execute();
  const totals = kind === 'event_reports' ? 'event_report_totals' : 'user_report_totals';
  await db.updateTable(totals).set({ part }).execute();
}

test.runIf(inject('postgres')).each<['event_reports' | 'user_reports', (tx: Tx) => Promise<unknown>]>([
  [
    'event_reports',
    (tx) => {
      const { roomId = '', events } = rooms[0] ?? {};
      const about = { roomId, eventId: events?.bob ?? '', userId: idOf('alice'), sender: idOf('bob') };
      return insertReport(tx, { ...about, receivedTs: Date.now(), reason: null, score: null });
    },
  ],
  [
    'user_reports',
    (tx) => {
      const about = { userId: idOf('alice'), targetUserId: idOf('bob') };
      return insertUserReport(tx, { ...about, receivedTs: Date.now(), reason: 'rude' });
    },
  ],
])('the last of %s is deleted while another like it is filed and rolled back', async (kind, file) => {
  await deleteAll();
  const filed = kind === 'event_reports' ? reportEvent('alice', 0, 'bob') : reportUser('alice', 'bob');
  expect((await filed).status).toBe(200);
  const [id] = await idsOf(kind);
  let deleting: ReturnType<ReturnType<typeof admin>['delete']> | undefined;
  const filing = inTransaction(homeserver.services.db, async (tx) => {
    await moveToPartOf(tx, kind);
    await file(tx);
    deleting = admin().delete(`${administration}/${kind}/${id}`);
    await until(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        tx,
      );
      expect(rows).toHaveLength(1);
    });
    throw new Error('rolled back');
  });
  await expect(filing).rejects.toThrow('rolled back');
  expect(await deleting).toMatchObject({ status: 200 });
  expect(await namedTotals()).toEqual([]);
  await expectTotalsRight();
});

test('the same kind of report filed and deleted at once', async () => {
  for (let round = 0; round < (isMatrix ? 6 : 2); round++) {
    await Promise.all(Array.from({ length: 10 }, () => reportEvent('alice', 0, 'bob')));
    await Promise.all(Array.from({ length: 10 }, () => reportUser('alice', 'bob')));
    const [events, users] = [await idsOf('event_reports'), await idsOf('user_reports')];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => [
        reportEvent('alice', 0, 'bob'),
        reportEvent('bob', 0, 'alice'),
        admin().delete(`${administration}/event_reports/${events[index]}`),
        reportUser('alice', 'bob'),
        admin().delete(`${administration}/user_reports/${users[index]}`),
      ]).flat(),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  }
  await expectTotalsRight();
});
