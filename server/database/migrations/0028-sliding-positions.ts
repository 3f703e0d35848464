import type { Kysely } from 'kysely';
import { identityColumn } from './identity-column.ts';

/** Positions go with their devices. Clients whose position is unknown begin anew, as those do that come back late. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('sliding_positions').execute();
  await identityColumn(db.schema.createTable('sliding_positions'), 'position', db)
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    // Null for who has no device.
    .addColumn('device_id', 'text')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    // Builds before this one write it.
    .addColumn('used_ts', 'bigint')
    .addForeignKeyConstraint(
      'sliding_positions_device',
      ['user_id', 'device_id'],
      'devices',
      ['user_id', 'device_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('sliding_positions_connection')
    .on('sliding_positions')
    .columns(['user_id', 'device_id', 'connection_id', 'position'])
    .execute();
}
