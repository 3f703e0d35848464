import type { Generated } from 'kysely';

export type ReportTables = {
  event_reports: {
    id: Generated<number>;
    received_ts: number;
    room_id: string;
    event_id: string;
    /** The reporter. */
    user_id: string;
    /** The sender of the event, which never changes. */
    sender: string;
    reason: string | null;
    score: number | null;
    /** The part of the totals that counts the report. */
    part: Generated<number>;
  };
  /**
   * The number of reports that match each combination of filters, so that a list's total is a lookup. An empty string
   * means "any". A total is the sum of several parts, so that transactions don't wait for each other. A part without
   * reports has no row.
   */
  event_report_totals: { room_id: string; user_id: string; sender: string; part: number; total: number };
  user_reports: {
    id: Generated<number>;
    received_ts: number;
    /** The reported user. */
    target_user_id: string;
    /** The reporter. */
    user_id: string;
    reason: string;
    /** As in `event_reports`. */
    part: Generated<number>;
  };
  /** As `event_report_totals`. */
  user_report_totals: { target_user_id: string; user_id: string; part: number; total: number };
  room_reports: {
    id: Generated<number>;
    received_ts: number;
    room_id: string;
    /** The reporter. */
    user_id: string;
    reason: string;
  };
};
