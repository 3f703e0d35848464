/** Ownership of resources by a process that shares a database with others. */
import { setTimeout as wait } from 'node:timers/promises';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { type Claim, OwnershipLost } from '../../../server/platform/cluster/ownership.ts';
import { joinPostgres } from '../../../server/platform/cluster/postgres-claim.ts';
import { createNotifier } from '../../../server/platform/concurrency/notifier.ts';
import type { DatabaseConfig, PostgresConfig } from '../../../server/platform/config/database.ts';
import { systemClock } from '../../../server/platform/core/clock.ts';
import { createLog } from '../../../server/platform/core/log.ts';
import { openDatabase } from '../../../server/platform/database/database.ts';
import type { Database } from '../../../server/platform/database/schema.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { createScheduler } from '../../../server/platform/tasks/scheduler.ts';
import type { TaskKind } from '../../../server/platform/tasks/task.ts';
import { until } from '../../until.ts';
import { makeDatabase, queryDatabase } from '../database.ts';

describe.runIf(inject('postgres'))('of two processes', () => {
  let config: DatabaseConfig;
  let drop: () => Promise<void>;
  let db: Awaited<ReturnType<typeof openDatabase>>;
  let one: Claim;
  let other: Claim;
  beforeEach(async () => {
    const database = await makeDatabase();
    if (!database) throw new Error('no database');
    ({ config, drop } = database);
    db = await openDatabase(config);
    [one, other] = [await join(), await join()];
  });
  afterEach(async () => {
    await one.release().catch(() => {});
    await other.release().catch(() => {});
    await db.destroy();
    await drop();
  });

  async function join(): Promise<Claim> {
    const claim = await joinPostgres(config as PostgresConfig);
    if (!claim) throw new Error('the database is claimed');
    return claim;
  }

  test('one owns a name until it releases it', async () => {
    const owned = await one.tryOwn('name');
    expect(owned).toBeDefined();
    expect(await other.tryOwn('name')).toBeUndefined();
    expect(await one.tryOwn('name')).toBeUndefined();
    expect(await other.tryOwn('another name')).toBeDefined();
    await owned?.release();
    expect(await other.tryOwn('name')).toBeDefined();
  });

  test('one can try to own many names at once', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const names = ['a', 'b', 'c', 'd'];
    expect(await Promise.all(names.map((name) => one.tryOwn(name)))).not.toContain(undefined);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('one whose connection has ended commits nothing more for it, and the other owns it', async () => {
    const owned = await one.tryOwn('name');
    const count = (tx: Database) => tx.selectFrom('users').select('user_id').execute();
    await inTransaction(db, async (tx) => {
      await count(tx);
      await owned?.require(tx);
    });
    // The owner hasn't noticed yet.
    await queryDatabase(
      config,
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and objsubid = 1 and classid <> 0
         and database = (select oid from pg_database where datname = current_database())`,
    );
    await until(async () => expect(await other.tryOwn('name')).toBeDefined());
    await expect(inTransaction(db, async (tx) => owned?.require(tx))).rejects.toThrow(OwnershipLost);
  });

  test('each does its part of many tasks, and each task runs once', async () => {
    const kind = {
      action: 'count',
      params: Type.Object({}),
      requestedBy: 'administrators',
    } satisfies TaskKind;
    const runs: string[] = [];
    const schedulers = [one, other].map((claim, process) => {
      const log = createLog({ level: 'error', format: 'text' }, systemClock);
      const context = { db, clock: systemClock, log, notifier: createNotifier(String(process)) };
      const scheduler = createScheduler(context, [
        {
          kind,
          async run({ task }) {
            runs.push(task.id);
            await wait(5);
            return { status: 'complete' };
          },
        },
      ]);
      scheduler.start(claim);
      return scheduler;
    });
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        schedulers[index % 2]?.schedule(kind, { params: {}, requestedBy: '@admin:localhost' }),
      ),
    );
    await until(async () => {
      const unfinished = db.selectFrom('scheduled_tasks').select('id').where('status', '<>', 'complete');
      expect(await unfinished.execute()).toEqual([]);
    });
    expect(runs.toSorted()).toEqual(ids.toSorted());
    for (const scheduler of schedulers) await scheduler.stop();
  });
});
