/** Waiting tasks and their order. No query reads more than one task for each that can start, even if many wait. */
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../database/engine.ts';
import type { Database } from '../database/schema.ts';
import { asRow } from './scheduled-task-store.ts';
import type { Task } from './task.ts';

type WaitingTask = Pick<Task, 'id' | 'action' | 'resourceId' | 'params'> & {
  requestedBy: string;
  /** Due time; the database's time to start it immediately. */
  timestampMs: number | RawBuilder<number>;
};

/**
 * Adds a task and returns its ID. If one of its action is already waiting for the same resource, that one gets the
 * earlier of their times and the newer parameters.
 */
export async function enqueueTask(db: Database, task: WaitingTask): Promise<string> {
  const { action, resourceId, requestedBy } = task;
  const { id } = await db
    .insertInto('scheduled_tasks')
    .values({
      ...asRow({ ...task, timestampMs: 0, status: 'scheduled', result: null, error: null }),
      timestamp_ms: sql<number>`cast(${task.timestampMs} as bigint)`,
      requested_by: requestedBy,
      turn: await nextTurn(db, action, requestedBy),
      pending_key: resourceId === null ? null : `${action} ${resourceId}`,
    })
    .onConflict((conflict) =>
      conflict.column('pending_key').doUpdateSet((eb) => ({
        params: eb.ref('excluded.params'),
        timestamp_ms: sql<number>`case when excluded.timestamp_ms < scheduled_tasks.timestamp_ms
          then excluded.timestamp_ms else scheduled_tasks.timestamp_ms end`,
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Returns the turn of a requester's next task among those of its action: the current one, or the one after their last
 * waiting task. A requester with many tasks waits behind others.
 */
async function nextTurn(db: Database, action: string, requestedBy: string): Promise<number> {
  const waiting = db
    .selectFrom('scheduled_tasks')
    .select('turn')
    .where('status', '=', 'scheduled')
    .where('action', '=', action)
    .limit(1);
  const own = await waiting
    .where('requested_by', '=', requestedBy)
    .orderBy('turn', 'desc')
    .executeTakeFirst();
  if (own) return own.turn + 1;
  const first = await waiting.orderBy('turn').executeTakeFirst();
  return first?.turn ?? 0;
}

/** Returns whether a waiting task is due. @param now the database's time */
export async function hasDueTask(db: Database, now: RawBuilder<number>): Promise<boolean> {
  const row = await db
    .selectFrom('scheduled_tasks')
    .select('id')
    .where('status', '=', 'scheduled')
    .where('timestamp_ms', '<=', sql<number>`cast(${now} as bigint)`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the actions of waiting tasks, due or not. */
export async function listWaitingActions(db: Database): Promise<string[]> {
  const actions: string[] = [];
  for (let last = ''; ; ) {
    const row = await db
      .selectFrom('scheduled_tasks')
      .select('action')
      .where('status', '=', 'scheduled')
      .where('action', '>', last)
      .orderBy('action')
      .limit(1)
      .executeTakeFirst();
    if (!row) return actions;
    last = row.action;
    actions.push(last);
  }
}

/**
 * Makes the next due task of an action active and returns its ID. Tasks for a resource wait while one of their action
 * is active for it.
 *
 * @param now the database's time
 */
export async function activateNextTask(
  db: Database,
  action: string,
  now: RawBuilder<number>,
): Promise<string | undefined> {
  // Rounded like the time of a task that is due at once.
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
  const row = await db
    .updateTable('scheduled_tasks')
    // Later requests for its resource get their own task, because this one may have passed the point that they need.
    .set({ status: 'active', timestamp_ms: dueAt, pending_key: null })
    .where('id', '=', next)
    .where('status', '=', 'scheduled')
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
