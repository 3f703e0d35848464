/** Paging through a report list while reports are added returns each report once. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { insertReport } from '../../../server/administration/reports/event-report-store.ts';
import { insertUserReport } from '../../../server/administration/reports/user-report-store.ts';
import { inTransaction, type Tx } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, say } from '../rooms/client.ts';

type Kind = 'event_reports' | 'user_reports';

let homeserver: TestHomeserver;
let roomId: string;
let eventId: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  roomId = await makeRoom(homeserver.as('alice'));
  eventId = await say(homeserver.as('alice'), roomId, 'hello');
});
afterAll(() => homeserver.remove());

const db = () => homeserver.services.db;

const file = async (kind: Kind) => {
  const alice = homeserver.as('alice');
  const of =
    kind === 'event_reports'
      ? path('rooms', roomId, 'report', eventId)
      : path('users', '@bob:localhost', 'report');
  expect((await alice.post(of, { reason: 'rude' })).status).toBe(200);
};

async function insert(tx: Tx, kind: Kind, receivedTs: number): Promise<void> {
  const report = { receivedTs, userId: '@carol:localhost', reason: 'rude' };
  if (kind === 'user_reports') await insertUserReport(tx, { ...report, targetUserId: '@bob:localhost' });
  else await insertReport(tx, { ...report, roomId, eventId, sender: '@alice:localhost', score: null });
}

/** Returns a reader that pages through a list from its oldest report. */
function readerOf(kind: Kind, filter = '') {
  const read: number[] = [];
  const readOn = async () => {
    for (;;) {
      const query = `dir=f&limit=2&from=${read.length}${filter}`;
      const { body } = await homeserver.as('admin').get(`/_service/admin/v1/${kind}?${query}`);
      read.push(...body[kind].map(({ id }: { id: number }) => id));
      if (body.next_token !== undefined) continue;
      expect(body.total).toBe(read.length);
      return read.length;
    }
  };
  return { read, readOn };
}

async function listed(kind: Kind, filter = ''): Promise<number[]> {
  const query = `dir=b&limit=1000${filter}`;
  const { body } = await homeserver.as('admin').get(`/_service/admin/v1/${kind}?${query}`);
  expect(body.total).toBe(body[kind].length);
  return body[kind].map(({ id }: { id: number }) => id).reverse();
}

// SQLite runs one transaction at a time.
test.runIf(inject('postgres')).each(['event_reports', 'user_reports'] as const)(
  '%s are filed while another transaction that files one is open',
  async (kind) => {
    const before = await listed(kind);
    await inTransaction(db(), async (tx) => {
      await insert(tx, kind, Date.now());
      for (let count = 0; count < 12; count++) await file(kind);
    });
    expect(await listed(kind)).toHaveLength(before.length + 13);
  },
);

// PostgreSQL can commit reports in an order that differs from their timestamps.
test.skipIf(inject('postgres')).each(['event_reports', 'user_reports'] as const)(
  '%s are read once each while many are filed at once',
  async (kind) => {
    const { read, readOn } = readerOf(kind);
    const before = await readOn();
    let filing = true;
    const filed = Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let count = 0; count < 8; count++) await file(kind);
      }),
    ).finally(() => {
      filing = false;
    });
    while (filing) await readOn();
    await filed;
    await readOn();
    expect(read).toHaveLength(before + 40);
    expect(read).toEqual(await listed(kind));
  },
);

test.each(['event_reports', 'user_reports'] as const)(
  '%s filed while the clock is behind come after those that were read already',
  async (kind) => {
    const { read, readOn } = readerOf(kind);
    await file(kind);
    await readOn();
    await inTransaction(db(), (tx) => insert(tx, kind, Date.now() - 2_000));
    await readOn();
    expect(read).toEqual(await listed(kind));
  },
);
