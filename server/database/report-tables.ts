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
   * An empty string stands for "any".
   */
  event_report_totals: { room_id: string; user_id: string; sender: string; total: number };
};
