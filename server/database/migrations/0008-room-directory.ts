import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { identityColumn } from './identity-column.ts';

/** What the administrators' list is ordered by; each order ends in the identifier, so that it is total. */
const orders = [
  'name',
  'canonical_alias',
  'joined_members',
  'room_version',
  'creator',
  'encryption',
  'federatable',
  'is_public',
  'join_rule',
  'guest_access',
  'history_visibility',
  'state_events',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['avatar', 'encryption', 'guest_access', 'room_type', 'folded_name', 'folded_topic']) {
    await db.schema.alterTable('rooms').addColumn(name, 'text').execute();
  }
  const number = (initial: number) => (column: ColumnDefinitionBuilder) =>
    column.notNull().defaultTo(initial);
  await db.schema.alterTable('rooms').addColumn('federatable', 'integer', number(1)).execute();
  await db.schema.alterTable('rooms').addColumn('state_events', 'bigint', number(0)).execute();
  await sql`update rooms set state_events =
    (select count(*) from current_state where current_state.room_id = rooms.room_id)`.execute(db);
  for (const order of orders) {
    await db.schema.createIndex(`rooms_${order}`).on('rooms').columns([order, 'room_id']).execute();
  }
  // Everything that a search looks at, so that it need not read the rooms themselves.
  await db.schema
    .createIndex('rooms_search')
    .on('rooms')
    .columns(['folded_name', 'canonical_alias', 'room_id'])
    .execute();
  await db.schema
    .createIndex('rooms_directory')
    .on('rooms')
    .columns(['is_public', 'joined_members', 'room_id'])
    .execute();
  await db.schema.dropIndex('rooms_public').execute();

  await db.schema
    .createTable('room_totals')
    .addColumn('is_public', 'integer', (column) => column.notNull())
    .addColumn('is_empty', 'integer', (column) => column.notNull())
    .addColumn('total', 'bigint', (column) => column.notNull().check(sql`total >= 0`))
    .addPrimaryKeyConstraint('room_totals_pkey', ['is_public', 'is_empty'])
    .execute();
  await sql`insert into room_totals (is_public, is_empty, total)
    select is_public, case when joined_members = 0 then 1 else 0 end as is_empty, count(*)
    from rooms group by 1, 2`.execute(db);

  await accountData(db);
  await reports(db);

  await db.schema
    .createTable('background_updates')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('ordering', 'integer', (column) => column.notNull())
    .addColumn('progress', 'text', (column) => column.notNull())
    .addColumn('total_item_count', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('total_duration_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  // What the new columns of rooms that exist already have to hold is in those rooms' state.
  await sql`insert into background_updates (name, ordering, progress)
    select 'populate_room_summaries', 1, '{}' where exists (select 1 from rooms)`.execute(db);
}

async function accountData(db: Kysely<unknown>): Promise<void> {
  const ofUser = (column: ColumnDefinitionBuilder) =>
    column.notNull().references('users.user_id').onDelete('cascade');
  await db.schema
    .createTable('account_data')
    .addColumn('user_id', 'text', ofUser)
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_data_pkey', ['user_id', 'room_id', 'type'])
    .execute();
  await db.schema
    .createTable('room_tags')
    .addColumn('user_id', 'text', ofUser)
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('tag', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('room_tags_pkey', ['user_id', 'room_id', 'tag'])
    .execute();
}

async function reports(db: Kysely<unknown>): Promise<void> {
  await identityColumn(db.schema.createTable('room_reports'), 'id', db)
    .addColumn('received_ts', 'bigint', (column) => column.notNull())
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('room_reports_room')
    .on('room_reports')
    .columns(['room_id', 'received_ts'])
    .execute();

  await identityColumn(db.schema.createTable('user_reports'), 'id', db)
    .addColumn('received_ts', 'bigint', (column) => column.notNull())
    .addColumn('target_user_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('user_reports_order')
    .on('user_reports')
    .columns(['received_ts', 'id'])
    .execute();
  for (const filter of ['target_user_id', 'user_id']) {
    await db.schema
      .createIndex(`user_reports_${filter}`)
      .on('user_reports')
      .columns([filter, 'received_ts', 'id'])
      .execute();
  }
  await db.schema
    .createTable('user_report_totals')
    .addColumn('target_user_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('total', 'bigint', (column) => column.notNull().check(sql`total >= 0`))
    .addPrimaryKeyConstraint('user_report_totals_pkey', ['target_user_id', 'user_id'])
    .execute();
}
