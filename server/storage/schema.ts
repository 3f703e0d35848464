/** Every table as Kysely sees it. The wire and the columns are snake_case; repositories map to camelCase. */
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { TaskStatus } from '../../shared/api/scheduled-tasks.ts';
import type { AccountTables } from './account-tables.ts';
import type { DirectoryTables } from './directory-tables.ts';
import type { MediaTables } from './media-tables.ts';
import type { RoomTables } from './room-tables.ts';

/** SQLite has no booleans: 0 or 1. */
export type Flag = ColumnType<number, number | undefined, number>;

export type ReportTables = {
  event_reports: {
    id: Generated<number>;
    received_ts: number;
    room_id: string;
    event_id: string;
    /** Who filed the report. */
    user_id: string;
    /** Who sent the reported event: an event's sender never changes, so it is kept here to filter by. */
    sender: string;
    reason: string | null;
    score: number | null;
  };
  /**
   * How many reports match each combination of the list's filters, so that a total is one look-up.
   * An empty string stands for "any".
   */
  event_report_totals: { room_id: string; user_id: string; sender: string; total: number };
};

export type TaskTables = {
  scheduled_tasks: {
    id: string;
    action: string;
    status: TaskStatus;
    timestamp_ms: number;
    resource_id: string | null;
    /** JSON. */
    params: string;
    /** JSON, or null where the task gave none. */
    result: string | null;
    error: string | null;
  };
};

export type Schema = AccountTables & ReportTables & TaskTables & MediaTables & RoomTables & DirectoryTables;

/** The database, or a transaction on it: what a repository's function needs. */
export type Database = Kysely<Schema> | Transaction<Schema>;
