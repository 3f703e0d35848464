/** Whoever reads a list of reports on from where they were gets each of them once, whoever else adds to it meanwhile. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { inTransaction } from '../../../server/database/transaction.ts';
import { insertReport, type NewReport } from '../../../server/reports/event-report-store.ts';
import { insertUserReport, type NewUserReport } from '../../../server/reports/user-report-store.ts';
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

const newReport = (receivedTs: number): NewReport => ({
  ...{ receivedTs, roomId, eventId, userId: '@carol:localhost', sender: '@alice:localhost' },
  ...{ reason: null, score: null },
});

const newUserReport = (receivedTs: number): NewUserReport => ({
  ...{ receivedTs, targetUserId: '@bob:localhost', userId: '@carol:localhost', reason: 'rude' },
});

/** Somebody who reads a list from its oldest report, a short page after the other. */
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

// On SQLite transactions come one after the other.
describe.runIf(inject('postgres'))('while a transaction that adds a report is open', () => {
  const filters = ['', '&room_id=!other:localhost', '&event_sender_user_id=@alice:localhost'];

  /** Does something while a transaction is open that has filed a report on what everybody reports. */
  async function meanwhile(kind: Kind, work: () => Promise<void>): Promise<void> {
    const [added, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = inTransaction(db(), async (tx) => {
      await (kind === 'event_reports'
        ? insertReport(tx, newReport(Date.now()))
        : insertUserReport(tx, newUserReport(Date.now())));
      added.resolve();
      await commit.promise;
    });
    try {
      await added.promise;
      await work();
    } finally {
      commit.resolve();
      await late;
    }
  }

  // Whoever has to wait gives up after a second.
  test.each(['event_reports', 'user_reports'] as const)(
    'others file %s and are not held up',
    async (kind) => {
      const { read, readOn } = readerOf(kind);
      await readOn();
      await meanwhile(kind, async () => {
        for (let count = 0; count < 12; count++) await file(kind);
        const before = read.length;
        await readOn();
        expect(read).toHaveLength(before);
      });
      await readOn();
      expect(read).toEqual(await listed(kind));
    },
  );

  test('nobody reads past its report', async () => {
    const readers = filters.map((filter) => readerOf('event_reports', filter));
    for (const { readOn } of readers) await readOn();
    const before = readers.map(({ read }) => read.length);
    await meanwhile('event_reports', async () => {
      for (let count = 0; count < 3; count++) await file('event_reports');
      const other = { ...newReport(Date.now()), roomId: '!other:localhost' };
      await inTransaction(db(), (tx) => insertReport(tx, other));
      for (const { readOn } of readers) await readOn();
    });
    for (const { readOn } of readers) await readOn();
    expect(readers.map(({ read }, index) => read.length - (before[index] ?? 0))).toEqual([5, 1, 5]);
    for (const [index, { read }] of readers.entries()) {
      expect(read).toEqual(await listed('event_reports', filters[index]));
    }
  });

  test('one that is undone holds nobody up afterwards', async () => {
    const { read, readOn } = readerOf('event_reports');
    const undone = inTransaction(db(), async (tx) => {
      await insertReport(tx, newReport(Date.now()));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await file('event_reports');
    await readOn();
    expect(read).toEqual(await listed('event_reports'));
  });
});

describe.each(['event_reports', 'user_reports'] as const)('%s', (kind) => {
  test('are read once each while many are filed at once', async () => {
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
  });
});

// One process alone serves a SQLite file.
test.runIf(inject('postgres')).each(['event_reports', 'user_reports'] as const)(
  '%s of a process whose clock is behind come after those that were read already',
  async (kind) => {
    const { read, readOn } = readerOf(kind);
    await file(kind);
    await readOn();
    const behind = Date.now() - 2_000;
    await inTransaction<unknown>(db(), (tx) =>
      kind === 'event_reports'
        ? insertReport(tx, newReport(behind))
        : insertUserReport(tx, newUserReport(behind)),
    );
    await readOn();
    expect(read).toEqual(await listed(kind));
  },
);
