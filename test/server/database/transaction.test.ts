import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Homeserver } from '../../../server/app/homeserver.ts';
import { insertOpenIdToken } from '../../../server/identity/accounts/identity-store.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

describe('work that loses a race', () => {
  let homeserver: TestHomeserver;
  beforeEach(async () => {
    homeserver = await startHomeserver();
  });
  afterEach(() => homeserver.remove());

  const db = () => (homeserver as Homeserver).services.db;

  test.runIf(inject('postgres'))('to a deadlock is retried, and both commit', async () => {
    let inside = 0;
    let bothInside = () => {};
    const meet = new Promise<void>((resolve) => {
      bothInside = resolve;
    });
    const rename = (first: string, second: string) =>
      inTransaction(db(), async (tx) => {
        const set = (userId: string, name: string) =>
          tx.updateTable('users').set({ display_name: name }).where('user_id', '=', userId).execute();
        await set(first, `first is ${first}`);
        if (++inside === 2) bothInside();
        await meet;
        await set(second, `first is ${first}`);
        return first;
      });
    const [alice, bob] = ['@alice:localhost', '@bob:localhost'];
    expect(await Promise.all([rename(alice, bob), rename(bob, alice)])).toEqual([alice, bob]);
    expect(inside).toBeGreaterThan(2);
    // The last transaction set both names.
    const names = await db()
      .selectFrom('users')
      .select('display_name')
      .where('user_id', 'in', [alice, bob])
      .execute();
    expect(names[0]).toEqual(names[1]);
  });

  test('is rolled back as a whole on its own errors, without a retry', async () => {
    let runs = 0;
    const failing = inTransaction(db(), async (tx) => {
      runs++;
      await tx.updateTable('users').set({ display_name: 'changed' }).execute();
      throw new Error('this can never work');
    });
    await expect(failing).rejects.toThrow('this can never work');
    expect(runs).toBe(1);
    const changed = await db()
      .selectFrom('users')
      .select('user_id')
      .where('display_name', '=', 'changed')
      .execute();
    expect(changed).toEqual([]);
  });

  test.runIf(!inject('postgres'))('fails alone if an error ends the transaction in SQLite', async () => {
    const keep = (name: string, value = '') =>
      inTransaction(db(), async (tx) => {
        await tx.insertInto('server_facts').values({ name, value }).execute();
        await tx
          .insertInto('server_facts')
          .values({ name: `${name} again`, value })
          .execute();
      });
    await keep('page');
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db());
    await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 20)}`.execute(db());
    const swallowing = inTransaction(db(), async (tx) => {
      const large = { name: 'too large', value: 'x'.repeat(1_000_000) };
      await tx
        .insertInto('server_facts')
        .values(large)
        .execute()
        .catch(() => {});
      await tx.insertInto('server_facts').values({ name: 'after its end', value: '' }).execute();
    });
    const outcomes = await Promise.allSettled([
      keep('before'),
      keep('too large', 'x'.repeat(1_000_000)),
      swallowing,
      keep('after'),
    ]);
    await sql`pragma max_page_count = 1000000`.execute(db());
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { kind: 'full' } },
      { status: 'rejected', reason: { kind: 'contended' } },
      { status: 'fulfilled' },
    ]);
    const facts = await db().selectFrom('server_facts').select('name').orderBy('name').execute();
    const names = facts.map(({ name }) => name).filter((name) => /^(before|too|after)/.test(name));
    expect(names).toEqual(['after', 'after again', 'before', 'before again']);
  });

  test('for the end of a sequence is retried, but not forever', async () => {
    let runs = 0;
    const adding = inTransaction(db(), async (tx) => {
      runs++;
      await insertOpenIdToken(tx, { hash: 'x', userId: '@nobody:localhost', expiresTs: 0 });
    });
    await expect(adding).rejects.toThrow(/foreign key/i);
    expect(runs).toBe(3);
  });
});
