/** Pages of a list while reports are added and deleted, read from both ends. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deleteReport,
  insertReport,
  insertReports,
  type NewReport,
} from '../../../server/administration/reports/event-report-store.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const base = Date.UTC(2026, 0, 1);
const count = 900;

let homeserver: TestHomeserver;
/** Expected reports, oldest first. */
let reports: (NewReport & { id: number })[];

const report = (index: number): NewReport => ({
  // Three share each timestamp, and some are out of order.
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
  [
    '&user_id=@reporter4:localhost&event_sender_user_id=@sender1:localhost',
    ({ userId, sender }) => userId === '@reporter4:localhost' && sender === '@sender1:localhost',
  ],
];

/** Reads pages from all parts of the list. */
async function expectPagesRight(): Promise<void> {
  for (const [filter, matches] of filters) {
    for (const dir of ['b', 'f']) {
      const all = reports.filter(matches);
      const ids = (dir === 'f' ? all : all.toReversed()).map(({ id }) => id);
      for (const from of [0, 70, 199, 430, 449, 455, 600, count - 60, count - 10]) {
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

test('as loaded', expectPagesRight);

test('after more were filed, one of them long before the others', async () => {
  for (const index of [count, count + 1, 100]) {
    const added = report(index);
    const id = await inTransaction(db(), (tx) => insertReport(tx, added));
    reports.push({ ...added, id });
  }
  sort();
  await expectPagesRight();
});

test('after some were deleted', async () => {
  for (const index of [500, 100, 10]) {
    const [deleted] = reports.splice(index, 1);
    await deleteReport(db(), deleted?.id ?? 0);
  }
  await expectPagesRight();
});
