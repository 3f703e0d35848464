import { type Kysely, sql } from 'kysely';

/** Whose turn it is among the tasks that wait; one of them for an action and a resource. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('scheduled_tasks').addColumn('requested_by', 'text').execute();
  await db.schema
    .alterTable('scheduled_tasks')
    .addColumn('turn', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('scheduled_tasks').addColumn('pending_key', 'text').execute();

  // The same wish, kept many times over: the oldest stands for all.
  await sql`delete from scheduled_tasks where status = 'scheduled' and exists (
    select 1 from scheduled_tasks as earlier
    where earlier.resource_id = scheduled_tasks.resource_id and earlier.status = 'scheduled'
      and earlier.action = scheduled_tasks.action and earlier.params = scheduled_tasks.params
      and (earlier.timestamp_ms < scheduled_tasks.timestamp_ms
        or (earlier.timestamp_ms = scheduled_tasks.timestamp_ms and earlier.id < scheduled_tasks.id))
  )`.execute(db);
  await sql`update scheduled_tasks set pending_key = action || ' ' || resource_id
    where status = 'scheduled' and resource_id is not null and not exists (
      select 1 from scheduled_tasks as other
      where other.resource_id = scheduled_tasks.resource_id and other.status = 'scheduled'
        and other.action = scheduled_tasks.action and other.id <> scheduled_tasks.id
    )`.execute(db);

  await db.schema
    .createIndex('scheduled_tasks_pending')
    .unique()
    .on('scheduled_tasks')
    .column('pending_key')
    .execute();
  await db.schema
    .createIndex('scheduled_tasks_queue')
    .on('scheduled_tasks')
    .columns(['status', 'action', 'turn', 'timestamp_ms', 'id'])
    .execute();
  await db.schema
    .createIndex('scheduled_tasks_requester')
    .on('scheduled_tasks')
    .columns(['status', 'action', 'requested_by', 'turn'])
    .execute();
}
