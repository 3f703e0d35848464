export type ReceiptTables = {
  /** How far people have read. */
  receipts: {
    user_id: string;
    room_id: string;
    receipt_type: string;
    /** The root of a thread, or `main`; empty for the whole room. */
    thread_id: string;
    event_id: string;
    /** The event's; 0 for one that this server doesn't have. */
    stream_ordering: number;
    ts: number;
    /** The change that set it. */
    stream_id: number;
  };
  /** Which threads people follow, or have followed. */
  thread_subscriptions: {
    user_id: string;
    room_id: string;
    /** The event that it hangs on. */
    thread_id: string;
    /** `automatic` or `manual`; null for one that has ended. */
    subscription: string | null;
    /** The place of the last event of all when its user ended it; 0 where that never was. */
    ended_at: number;
    /** The change that set it. */
    stream_id: number;
  };
  /** What others were last told of whether someone is there; nobody is who has no row. */
  presence: {
    user_id: string;
    presence: string;
    status_msg: string | null;
    last_active_ts: number;
    /** The change that set it. */
    stream_id: number;
  };
  /** Who is connected to which process, as those say now and then. */
  presence_connections: {
    process: string;
    user_id: string;
    /** What the user's clients want to be shown. */
    presence: string;
    until_ts: number;
  };
  /** Who writes in which room. */
  typing: {
    room_id: string;
    user_id: string;
    /** When it ends by itself; 0 where it has ended. */
    until_ts: number;
    /** The change that began or ended it. */
    stream_id: number;
  };
};
