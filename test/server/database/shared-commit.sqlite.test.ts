/** Transactions that are ready at the same time share a commit; what that must not change is looked at here. */
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../server/database/transaction.ts';
import type { Homeserver } from '../../../server/homeserver.ts';
import { serve } from '../gatehouse.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeData } from './data.ts';
import { signIn } from './person.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const db = () => (homeserver as Homeserver).services.db;

const keep = (name: string, value = '') =>
  inTransaction(db(), (tx) => tx.insertInto('server_facts').values({ name, value }).execute());

async function keptFacts(prefix: string): Promise<string[]> {
  const rows = await db()
    .selectFrom('server_facts')
    .select('name')
    .where('name', 'like', `${prefix}%`)
    .execute();
  return rows.map(({ name }) => name).sort();
}

/** How many commits the write-ahead log holds: their last frames say how large the database is then. */
async function countCommits(): Promise<number> {
  const { database } = homeserver.config;
  if (database.name !== 'sqlite3') throw new Error('this is no SQLite');
  const log = await readFile(`${database.file}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    const isOfThisLog = log.compare(log, 16, 24, at + 8, at + 16) === 0;
    if (isOfThisLog && log.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}

test('one that fails takes none with it, and all wait for the disk once', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `one ${String(index).padStart(2, '0')}`);
  const isGood = (name: string) => !name.endsWith('7');
  const before = await countCommits();
  const outcomes = await Promise.allSettled(
    names.map((name) =>
      inTransaction(db(), async (tx) => {
        await tx.insertInto('server_facts').values({ name, value: '' }).execute();
        if (!isGood(name)) throw new Error('changed its mind');
      }),
    ),
  );
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(names.map(isGood));
  expect(await keptFacts('one ')).toEqual(names.filter(isGood));
  expect((await countCommits()) - before).toBeLessThan(5);
});

test('one whose statement ends the transaction of all fails alone', async () => {
  await keep('page');
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db());
  await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 20)}`.execute(db());
  const outcomes = await Promise.allSettled([
    keep('two before'),
    keep('two too large', 'x'.repeat(1_000_000)),
    keep('two after'),
  ]);
  await sql`pragma max_page_count = 1000000`.execute(db());
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { kind: 'full' } });
  expect(await keptFacts('two ')).toEqual(['two after', 'two before']);
});

test('whoever was refused because of what others changed is told after that is kept', async () => {
  const order: string[] = [];
  const first = keep('three').then(() => order.push('kept'));
  const second = keep('three').catch(() => order.push('refused'));
  await Promise.all([first, second]);
  expect(order).toEqual(['kept', 'refused']);
});

test('killed while many write at once: nothing acknowledged is missing', async () => {
  const data = await makeData({ rc_message: { per_second: 1e6, burst_count: 1e6 } });
  const served = await serve(...data.source);
  const person = await signIn(served.url);
  const room = encodeURIComponent((await person.post('/createRoom', {})).body.room_id);
  const acknowledged: string[] = [];
  const write = async (writer: number) => {
    for (let count = 0; ; count++) {
      const body = { msgtype: 'm.text', body: 'hello' };
      const reply = await person.put(`/rooms/${room}/send/m.room.message/${writer}-${count}`, body);
      expect(reply.status).toBe(200);
      acknowledged.push(reply.body.event_id);
      if (acknowledged.length === 150) void served.end('SIGKILL');
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: 12 }, (_, writer) => write(writer)));
  expect(ends.map(({ status }) => status)).toEqual(Array(12).fill('rejected'));
  expect(acknowledged.length).toBeGreaterThanOrEqual(150);

  const again = await serve(...data.source);
  const back = await signIn(again.url);
  const { body } = await back.get(`/rooms/${room}/messages?dir=b&limit=1000`);
  const there = new Set(body.chunk.map((event: { event_id: string }) => event.event_id));
  expect(acknowledged.filter((eventId) => !there.has(eventId))).toEqual([]);
  expect(await again.end('SIGTERM')).toBe(0);
  await data.remove();
});
