/** Scheduled tasks: rows and lists. */
import { type Selectable, sql } from 'kysely';
import type { TaskStatus } from '../../../shared/api/tasks.ts';
import { readJson } from '../../../shared/read-json.ts';
import { isPostgres } from '../database/engine.ts';
import { builtOnceFor, type Values } from '../database/query/built-once.ts';
import type { Database, Schema } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import type { Task } from './task.ts';

export type TaskFilter = {
  action?: string | undefined;
  resourceId?: string | undefined;
  /** Tasks are never `cancelled` here. */
  status?: TaskStatus | 'cancelled' | undefined;
  /** Only tasks whose timestamp is lower than this, in milliseconds since the Unix epoch. */
  before?: number | undefined;
};

/** Returns the tasks that match every part of the filter, oldest timestamp first, as the JSON of a reply. */
export async function listTasksAsJson(
  db: Database,
  { action, resourceId, status, before }: TaskFilter,
): Promise<Buffer | string> {
  const values: TaskFilter & Values = {
    ...(action !== undefined && { action }),
    ...(resourceId !== undefined && { resourceId }),
    ...(status !== undefined && { status }),
    ...(before !== undefined && { before }),
  };
  const { rows } = await selectTasks(db, Object.keys(values).join(), values);
  return rows[0]?.json ?? '';
}

/**
 * A query for each set of given parts. The database builds the JSON: for thousands of tasks, rows and objects would take
 * several times as long.
 */
const selectTasks = builtOnceFor((db, values: TaskFilter & Values, given: string) => {
  const { action, resourceId, status, before } = values;
  const parts = given.split(',');
  const [object, asJson] = isPostgres(db)
    ? [sql.raw('json_build_object'), sql`cast(result as json)`]
    : [sql.raw('json_object'), sql`json(result)`];
  let tasks = db.selectFrom('scheduled_tasks').select(
    sql<string>`${object}('id', id, 'action', action, 'status', status, 'timestamp_ms', timestamp_ms,
        'resource_id', resource_id, 'result', ${asJson}, 'error', error)`.as('json'),
  );
  if (parts.includes('action')) tasks = tasks.where('action', '=', action as string);
  if (parts.includes('resourceId')) tasks = tasks.where('resource_id', '=', resourceId as string);
  if (parts.includes('status')) tasks = tasks.where('status', '=', status as TaskStatus);
  if (parts.includes('before')) tasks = tasks.where('timestamp_ms', '<', before as number);
  const list = sql<string>`'{"scheduled_tasks":[' || coalesce(string_agg(cast(json as text), ','), '') || ']}'`;
  // SQLite's bytes need no conversion on their way to the client; PostgreSQL would send them in hexadecimal.
  const body = isPostgres(db) ? list : sql<Buffer>`cast(${list} as blob)`;
  return db
    .selectFrom(tasks.orderBy('timestamp_ms').orderBy('id').as('tasks'))
    .select(body.$castTo<Buffer | string>().as('json'));
});

export async function findTask(db: Database, id: string): Promise<Task | undefined> {
  const row = await db.selectFrom('scheduled_tasks').selectAll().where('id', '=', id).executeTakeFirst();
  return row && asTask(row);
}

/** Returns the tasks of an action for a resource, oldest timestamp first. */
export async function listTasksFor(db: Database, action: string, resourceId: string): Promise<Task[]> {
  const rows = await db
    .selectFrom('scheduled_tasks')
    .selectAll()
    .where('resource_id', '=', resourceId)
    .where('action', '=', action)
    .orderBy('timestamp_ms')
    .orderBy('id')
    .execute();
  return rows.map(asTask);
}

export async function listActiveTasks(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('scheduled_tasks')
    .select('id')
    .where('status', '=', 'active')
    .orderBy('timestamp_ms')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns a task if it is active, once its former owner's last transaction has ended. */
export async function findActiveTask(db: Database, id: string): Promise<Task | undefined> {
  const row = await db
    .selectFrom('scheduled_tasks')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'active')
    .$if(isPostgres(db), (task) => task.forUpdate())
    .executeTakeFirst();
  return row && asTask(row);
}

/** Makes the next owner of a task wait until this transaction has ended. */
export async function lockTask(tx: Tx, id: string): Promise<void> {
  if (!isPostgres(tx)) return;
  await tx.selectFrom('scheduled_tasks').select('id').where('id', '=', id).forShare().execute();
}

/** Returns whether a task of an action waits or runs for a resource. */
export async function hasUnfinishedTask(db: Database, action: string, resourceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('scheduled_tasks')
    .select('id')
    .where('resource_id', '=', resourceId)
    .where('action', '=', action)
    .where('status', 'in', ['scheduled', 'active'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countActiveTasks(db: Database): Promise<number> {
  const row = await db
    .selectFrom('scheduled_tasks')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('status', '=', 'active')
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

export async function countTasksByStatus(db: Database): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('scheduled_tasks')
    .select(['status', ({ fn }) => fn.countAll<number>().as('total')])
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, total }) => [status, Number(total)]));
}

export async function insertTask(db: Database, task: Task): Promise<void> {
  await db.insertInto('scheduled_tasks').values(asRow(task)).execute();
}

export type TaskChange = Partial<Pick<Task, 'status' | 'timestampMs' | 'result' | 'error'>>;

export async function updateTask(db: Database, id: string, change: TaskChange): Promise<void> {
  await db.updateTable('scheduled_tasks').set(changedColumns(change)).where('id', '=', id).execute();
}

const changedColumns = (change: TaskChange) => ({
  ...(change.status !== undefined && { status: change.status }),
  ...(change.timestampMs !== undefined && { timestamp_ms: change.timestampMs }),
  ...(change.result !== undefined && { result: asJson(change.result) }),
  ...(change.error !== undefined && { error: change.error }),
});

/** Deletes up to `limit` tasks that ended before a time. Returns how many. */
export async function deleteFinishedTasks(db: Database, before: number, limit: number): Promise<number> {
  const finished = db
    .selectFrom('scheduled_tasks')
    .select('id')
    .where('status', 'in', ['complete', 'failed'])
    .where('timestamp_ms', '<', before)
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('scheduled_tasks')
    .where('id', 'in', finished)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const asJson = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

export const asRow = (task: Task) => ({
  id: task.id,
  action: task.action,
  status: task.status,
  timestamp_ms: task.timestampMs,
  resource_id: task.resourceId,
  params: JSON.stringify(task.params),
  result: asJson(task.result),
  error: task.error,
});

const asTask = (row: Selectable<Schema['scheduled_tasks']>): Task => ({
  id: row.id,
  action: row.action,
  status: row.status,
  timestampMs: row.timestamp_ms,
  resourceId: row.resource_id,
  params: readJson(row.params),
  result: row.result === null ? null : readJson(row.result),
  error: row.error,
});
