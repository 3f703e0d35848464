import type { Generated } from 'kysely';

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
   * An empty string stands for "any". Each is the sum of several parts, so that those who report at the same time
   * don't wait for each other.
   */
  event_report_totals: { room_id: string; user_id: string; sender: string; part: number; total: number };
  /** Places in long lists, by the same keys: so many reports from the place before, or the beginning, to this one. */
  event_report_places: {
    room_id: string;
    user_id: string;
    sender: string;
    received_ts: number;
    id: number;
    reports: number;
  };
  /**
   * One row: how often the order of reports was changed otherwise than at its newest end, and how many of these changes
   * the places have followed.
   */
  event_report_order: { changes: number; followed: Generated<number> };
};
