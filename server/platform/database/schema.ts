/** The types of all tables for Kysely. Columns are snake_case; stores map them to camelCase. */
import type { Generated, Kysely } from 'kysely';
import type { AccountTables } from './schema/accounts.ts';
import type { EncryptionTables } from './schema/encryption.ts';
import type { MediaTables } from './schema/media.ts';
import type { PushTables } from './schema/notifications.ts';
import type { ReceiptTables } from './schema/receipts.ts';
import type { ReportTables } from './schema/reports.ts';
import type { RoomTables } from './schema/rooms.ts';
import type { TaskTables } from './schema/tasks.ts';

export type Schema = AccountTables &
  ReportTables &
  TaskTables &
  MediaTables &
  RoomTables &
  ChangeTables &
  EncryptionTables &
  PushTables &
  ReceiptTables &
  SyncTables;

/** The database, or a transaction on it, as the functions of stores take it. */
export type Database = Kysely<Schema>;

type ChangeTables = {
  /** Only on SQLite: the number of the last change (`database/changes.ts`), in a single row. */
  change_place: { place: number };
};

type SyncTables = {
  /** Sync filters, by an ID derived from the filter. */
  filters: {
    user_id: string;
    filter_id: string;
    /** JSON. */
    filter: string;
  };
  /** The last positions of each sliding sync connection. */
  sliding_positions: {
    position: Generated<number>;
    user_id: string;
    device_id: string;
    /** The client's connection ID; often empty. */
    connection_id: string;
    /** JSON: the rooms that were sent, with their lists and state. */
    state: string;
    used_ts: number;
  };
};
