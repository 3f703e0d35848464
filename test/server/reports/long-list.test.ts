/**
 * A list so long that places in it are kept: its pages stay right, and as quick to read, whatever is added and deleted.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countingInto } from '../../../server/database/statement-count.ts';
import { inTransaction } from '../../../server/database/transaction.ts';
import { listReports } from '../../../server/reports/event-report-list-store.ts';
import {
  deleteReport,
  insertReport,
  insertReports,
  type NewReport,
} from '../../../server/reports/event-report-store.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const base = Date.UTC(2026, 0, 1);
const count = 9_000;

let homeserver: TestHomeserver;
/** What is to be listed, oldest first. */
let reports: (NewReport & { id: number })[];

const report = (index: number): NewReport => ({
  // Three share each time, and not all come in its order.
  receivedTs: base + Math.floor(index / 3) * 1_000 + (index % 50 === 0 ? 30_000 : 0),
  roomId: `!${index % 2}:localhost`,
  eventId: `$event${index}`,
  userId: `@reporter${index % 10}:localhost`,
  sender: `@sender${index % 3}:localhost`,
  reason: null,
  score: null,
});

beforeAll(async () => {
  homeserver = await startHomeserver();
  await inTransaction(db(), (tx) =>
    insertReports(
      tx,
      Array.from({ length: count }, (_, index) => report(index)),
    ),
  );
  const rows = await db().selectFrom('event_reports').selectAll().execute();
  reports = rows.map(({ id, received_ts, room_id, event_id, user_id, sender }) => ({
    ...{ id, receivedTs: received_ts, roomId: room_id, eventId: event_id, userId: user_id, sender },
    ...{ reason: null, score: null },
  }));
  sort();
});
afterAll(() => homeserver.remove());

const db = () => homeserver.services.db;
const sort = () => reports.sort((one, other) => one.receivedTs - other.receivedTs || one.id - other.id);

const filters: [string, (report: NewReport) => boolean][] = [
  ['', () => true],
  ['&room_id=!1:localhost', ({ roomId }) => roomId === '!1:localhost'],
  [
    '&room_id=!0:localhost&event_sender_user_id=@sender1:localhost',
    ({ roomId, sender }) => roomId === '!0:localhost' && sender === '@sender1:localhost',
  ],
];

/** Pages from everywhere in the list, some of them where places are. */
async function expectPagesRight(): Promise<void> {
  for (const [filter, matches] of filters) {
    for (const dir of ['b', 'f']) {
      const all = reports.filter(matches);
      const ids = (dir === 'f' ? all : all.toReversed()).map(({ id }) => id);
      for (const from of [0, 700, 1_999, 2_050, 2_999, 3_000, 3_001, 4_444, 5_500, 6_990, count - 60]) {
        const query = `?dir=${dir}&limit=20&from=${from}${filter}`;
        const { body } = await homeserver.as('admin').get(`/_service/admin/v1/event_reports${query}`);
        expect({
          query,
          total: body.total,
          ids: body.event_reports.map(({ id }: { id: number }) => id),
        }).toEqual({
          query,
          total: all.length,
          ids: ids.slice(from, from + 20),
        });
      }
    }
  }
}

/** How many statements it takes to read a page from the middle. */
function statementsOfMiddlePage(): Promise<number> {
  const usage = { statements: 0, milliseconds: 0 };
  return new Promise((resolve, reject) => {
    countingInto(usage, () => {
      const page = listReports(db(), {}, { from: count / 2, limit: 20, dir: 'b' });
      page.then(() => resolve(usage.statements), reject);
    });
  });
}

test('as it was loaded', expectPagesRight);

test('when more are filed at its end, and one long before it', async () => {
  for (const index of [count, count + 1, 100]) {
    const added = report(index);
    const id = await inTransaction(db(), (tx) => insertReport(tx, added));
    reports.push({ ...added, id });
  }
  sort();
  await expectPagesRight();
});

test('when some are deleted', async () => {
  for (const index of [5_000, 1_000, 10]) {
    const [deleted] = reports.splice(index, 1);
    await inTransaction(db(), (tx) => deleteReport(tx, deleted?.id ?? 0));
  }
  await expectPagesRight();
});

test('each page is read in a few statements after that, and in a process that has only begun', async () => {
  expect(await statementsOfMiddlePage()).toBeLessThanOrEqual(4);
  await homeserver.restart();
  expect(await statementsOfMiddlePage()).toBeLessThanOrEqual(4);
});

test('when a process of an older build has deleted one, of which the places know nothing', async () => {
  const [deleted] = reports.splice(20, 1);
  await inTransaction(db(), async (tx) => {
    await deleteReport(tx, deleted?.id ?? 0);
    await tx.updateTable('event_report_places').set({ reports: 1_010 }).execute();
    await tx.updateTable('event_report_order').set({ followed: 0 }).execute();
  });
  await expectPagesRight();
});

test('when many are filed one by one, and nobody reads the list', async () => {
  const later = base + 1_000 * 86_400_000;
  for (let piece = 0; piece < 7; piece++) {
    await inTransaction(db(), async (tx) => {
      for (let index = piece * 500; index < (piece + 1) * 500; index++) {
        const added = { ...report(index % 2), receivedTs: later + index * 20_000, roomId: '!busy:localhost' };
        reports.push({ ...added, id: await insertReport(tx, added) });
      }
    });
  }
  const places = await db().selectFrom('event_report_places').select('room_id').execute();
  expect(places.filter(({ room_id }) => room_id === '!busy:localhost').length).toBeGreaterThan(0);
  await expectPagesRight();
});
