/**
 * Which process is at which task. A process that takes a task has it for a while and extends that for as long as it
 * lives; once the time is over, any other may take the task. Every claim raises the task's number, and what is
 * committed for a task is committed under the number that it was claimed with: who comes too late commits nothing.
 */
import { type RawBuilder, type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import type { TaskStatus } from '../../shared/api/scheduled-tasks.ts';
import { isPostgres } from '../database/engine.ts';
import type { Database, Schema } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import { asTask, changedColumns, type TaskChange } from './scheduled-task-store.ts';
import type { Task } from './task.ts';

export type Lease = { taskId: string; number: number };
export type ClaimedTask = { task: Task; lease: Lease };

/** Thrown where a task is another process's by now. */
export class LeaseLost extends Error {
  constructor({ taskId }: Lease) {
    super(`tasks: lost task ${taskId}: another process has taken it over`);
  }
}

/** The database's time, and until when what is claimed at that time is the claimant's, in milliseconds. */
export type LeaseTime = { now: RawBuilder<number>; until: RawBuilder<number> };

/** What is claimed from now on for so many milliseconds. */
export const leaseFrom = (now: RawBuilder<number>, milliseconds: number): LeaseTime => ({
  now,
  until: sql<number>`${now} + ${sql.lit(milliseconds)}`,
});

/**
 * Makes the task of an action active whose turn it is, and this process's; undefined where none is due. Tasks for a
 * resource that one of their action is at work on, in whichever process, wait until that is done.
 */
export async function claimNextTask(
  db: Database,
  action: string,
  { now, until }: LeaseTime,
): Promise<ClaimedTask | undefined> {
  // Rounded as the time of a task that is due at once was.
  const dueAt = sql<number>`cast(${now} as bigint)`;
  const next = db
    .selectFrom('scheduled_tasks')
    .select('id')
    .where('status', '=', 'scheduled')
    .where('action', '=', action)
    .where('timestamp_ms', '<=', dueAt)
    .where(({ eb, or, not, exists, selectFrom }) =>
      or([
        eb('resource_id', 'is', null),
        not(
          exists(
            selectFrom('scheduled_tasks as other')
              .select('other.id')
              .whereRef('other.resource_id', '=', 'scheduled_tasks.resource_id')
              .where('other.action', '=', action)
              .where('other.status', '=', 'active'),
          ),
        ),
      ]),
    )
    .orderBy('turn')
    .orderBy('timestamp_ms')
    .orderBy('id')
    .limit(1)
    .$if(isPostgres(db), (tasks) => tasks.forUpdate().skipLocked());
  // What is wished for from now on is another task: this one may have passed it by already.
  return claim(db, next, 'scheduled', until, { status: 'active', timestamp_ms: dueAt, pending_key: null });
}

/**
 * Makes a task this process's that is active and nobody's: its process has died, or has let it go.
 *
 * @param own tasks that this process is at
 */
export async function claimAbandonedTask(
  db: Database,
  own: readonly string[],
  { now, until }: LeaseTime,
): Promise<ClaimedTask | undefined> {
  const abandoned = db
    .selectFrom('scheduled_tasks')
    .select('id')
    .where('status', '=', 'active')
    .where('lease_until', '<=', now)
    .$if(own.length > 0, (tasks) => tasks.where('id', 'not in', own))
    .orderBy('timestamp_ms')
    .orderBy('id')
    .limit(1)
    .$if(isPostgres(db), (tasks) => tasks.forUpdate().skipLocked());
  return claim(db, abandoned, 'active', until);
}

/**
 * Makes a task this process's, if it still has the status that it was chosen for.
 *
 * @param chosen gives the task's identifier, or none
 * @param change what else of it changes
 */
async function claim(
  db: Database,
  chosen: SelectQueryBuilder<Schema, 'scheduled_tasks', { id: string }>,
  status: TaskStatus,
  until: LeaseTime['until'],
  change: Omit<Updateable<Schema['scheduled_tasks']>, 'timestamp_ms'> & {
    timestamp_ms?: RawBuilder<number>;
  } = {},
): Promise<ClaimedTask | undefined> {
  const row = await db
    .updateTable('scheduled_tasks')
    .set({
      ...change,
      lease_number: sql<number>`lease_number + 1`,
      lease_until: sql<number>`cast(${until} as bigint)`,
    })
    .where('id', '=', chosen)
    .where('status', '=', status)
    .returningAll()
    .executeTakeFirst();
  return row && { task: asTask(row), lease: { taskId: row.id, number: row.lease_number } };
}

/** Extends claims, and gives the tasks that still are this process's. */
export async function extendLeases(
  db: Database,
  leases: readonly Lease[],
  { until }: LeaseTime,
): Promise<Set<string>> {
  const held = new Set<string>();
  for (const lease of leases) {
    const row = await db
      .updateTable('scheduled_tasks')
      .set({ lease_until: sql<number>`cast(${until} as bigint)` })
      .where('id', '=', lease.taskId)
      .where('lease_number', '=', lease.number)
      .returning('id')
      .executeTakeFirst();
    if (row) held.add(row.id);
  }
  return held;
}

/** Lets a task go that did not end: whoever looks next may take it. */
export async function releaseLease(db: Database, { taskId, number }: Lease): Promise<void> {
  await db
    .updateTable('scheduled_tasks')
    .set({ lease_until: 0 })
    .where('id', '=', taskId)
    .where('lease_number', '=', number)
    .where('status', '=', 'active')
    .execute();
}

/** Lets every active task go, where the process that asks is the only one there is. */
export async function releaseAllLeases(db: Database): Promise<void> {
  await db.updateTable('scheduled_tasks').set({ lease_until: 0 }).where('status', '=', 'active').execute();
}

/**
 * To be asked at the end of a transaction that does a piece of a task: until that is through nobody else can take it.
 *
 * @throws LeaseLost
 */
export async function requireLease(tx: Tx, lease: Lease): Promise<void> {
  const row = await tx
    .selectFrom('scheduled_tasks')
    .select('id')
    .where('id', '=', lease.taskId)
    .where('lease_number', '=', lease.number)
    .$if(isPostgres(tx), (tasks) => tasks.forShare())
    .executeTakeFirst();
  if (!row) throw new LeaseLost(lease);
}

/** Changes a task while it is this process's. @throws LeaseLost */
export async function updateClaimedTask(db: Database, lease: Lease, change: TaskChange): Promise<void> {
  const row = await db
    .updateTable('scheduled_tasks')
    .set(changedColumns(change))
    .where('id', '=', lease.taskId)
    .where('lease_number', '=', lease.number)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new LeaseLost(lease);
}
