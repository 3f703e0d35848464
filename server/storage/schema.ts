/** Every table as Kysely sees it. The wire and the columns are snake_case; repositories map to camelCase. */
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { TaskStatus } from '../../shared/api/scheduled-tasks.ts';
import type { RoomTables } from './room-tables.ts';

/** SQLite has no booleans: 0 or 1. */
export type Flag = ColumnType<number, number | undefined, number>;

export type AccountTables = {
  users: {
    user_id: string;
    /** Null for an account that no password opens. */
    password_hash: string | null;
    display_name: string | null;
    avatar_url: string | null;
    admin: Flag;
    deactivated: Flag;
    created_ts: number;
  };
  devices: {
    user_id: string;
    device_id: string;
    display_name: string | null;
    last_seen_ts: number | null;
  };
  access_tokens: {
    /** SHA-256 of the token; the token itself is stored nowhere. */
    token_hash: string;
    user_id: string;
    /** Null for a token without a device, such as one made for an administrator. */
    device_id: string | null;
    created_ts: number;
  };
  /** Short-term tokens for `m.login.token`, each good for one login. */
  login_tokens: {
    token_hash: string;
    user_id: string;
    expires_ts: number;
  };
  /** Small facts about this server, such as the name that its data was made for. */
  server_facts: { name: string; value: string };
};

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

export type MediaTables = {
  media: {
    media_id: string;
    /** Who uploaded it. */
    user_id: string;
    content_type: string;
    upload_name: string | null;
    /** In bytes. */
    size: number;
    created_ts: number;
  };
};

export type Schema = AccountTables & ReportTables & TaskTables & MediaTables & RoomTables;

/** The database, or a transaction on it: what a repository's function needs. */
export type Database = Kysely<Schema> | Transaction<Schema>;
