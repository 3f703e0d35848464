/** Every table as Kysely sees it. Columns are snake_case; stores map them to camelCase. */
import type { Kysely } from 'kysely';
import type { AccountTables } from './account-tables.ts';
import type { ChangeTables } from './change-tables.ts';
import type { DirectoryTables } from './directory-tables.ts';
import type { EncryptionTables } from './encryption-tables.ts';
import type { MediaTables } from './media-tables.ts';
import type { PushTables } from './push-tables.ts';
import type { ReceiptTables } from './receipt-tables.ts';
import type { ReportTables } from './report-tables.ts';
import type { RoomTables } from './room-tables.ts';
import type { SyncTables } from './sync-tables.ts';
import type { TaskTables } from './task-tables.ts';

export type Schema = AccountTables &
  ReportTables &
  TaskTables &
  MediaTables &
  RoomTables &
  DirectoryTables &
  ChangeTables &
  EncryptionTables &
  PushTables &
  ReceiptTables &
  SyncTables;

/** The database, or a transaction on it: what a store's function needs. */
export type Database = Kysely<Schema>;
