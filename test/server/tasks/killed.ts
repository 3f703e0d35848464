/** A database that fails permanently at a certain point, as if its process was killed. */
import type { Kysely } from 'kysely';
import { controlOf, setControl } from '../../../server/platform/database/control.ts';
import type { Schema } from '../../../server/platform/database/schema.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import type { TaskRun } from '../../../server/platform/tasks/task.ts';

export class Killed extends Error {}

const work = new Set(['transaction', 'insertInto', 'updateTable', 'deleteFrom']);

/** Returns the database, whose transactions and writes fail after the given number. */
export function killedAfter(db: Kysely<Schema>, steps: number): Kysely<Schema> {
  let left = steps;
  const step = () => {
    if (left-- <= 0) throw new Killed();
  };
  const killed = new Proxy(db, {
    get(target, name) {
      if (typeof name === 'string' && work.has(name)) step();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const control = controlOf(db);
  const { transact } = control;
  setControl(killed, {
    ...control,
    // Transactions that bypass `db.transaction()`.
    ...(transact && {
      async transact(work) {
        step();
        return transact(work);
      },
    }),
  });
  return killed;
}

/** Returns a task's context for a database, without progress reports or cancellation. */
export const runOn = (db: Kysely<Schema>): Omit<TaskRun, 'task' | 'params'> => ({
  signal: new AbortController().signal,
  inTransaction: (work) => inTransaction(db, work),
  progress: async () => {},
});
