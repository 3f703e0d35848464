import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../server/platform/database/database.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';

test.each([
  [undefined, 1],
  ['normal', 1],
  ['full', 2],
] as const)('database.args.synchronous: %s', async (synchronous, expected) => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const db = await openDatabase({
    name: 'sqlite3',
    file: join(directory, 'homeserver.db'),
    ...(synchronous && { synchronous }),
  });
  onTestFinished(async () => {
    await db.destroy();
    await rm(directory, { recursive: true });
  });
  // In a transaction: on the connection that writes.
  const { rows } = await inTransaction(db, (tx) => sql`pragma synchronous`.execute(tx));
  expect(rows).toEqual([{ synchronous: expected }]);
});
