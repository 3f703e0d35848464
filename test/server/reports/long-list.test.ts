/** A list so long that places in it are remembered: its pages stay right whatever is added and deleted. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../server/database/transaction.ts';
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
