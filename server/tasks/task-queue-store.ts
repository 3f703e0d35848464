/**
 * The tasks that wait, and whose turn it is. Nothing here reads more than one task for each that can start,
 * however many wait.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/schema.ts';
import { asRow } from './scheduled-task-store.ts';
import type { Task } from './task.ts';

export type WaitingTask = Pick<Task, 'id' | 'action' | 'resourceId' | 'params'> & {
  requestedBy: string;
  /** When it is due; where it is at once, the database's time. */
  timestampMs: number | RawBuilder<number>;
};

/**
 * Adds a task to those that wait and gives its identifier. Where one of its action waits for the same
 * resource already, the two become one: that one, at the earlier of their times and with the newer wish.
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
 * The turn of someone's next task among those of its action: the one that is on, or, for whoever has tasks
 * waiting, the one after their last. Whoever wants much so waits for themselves, and not others for them.
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

/** The actions that tasks wait for, due or not. */
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
