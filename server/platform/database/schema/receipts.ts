export type ReceiptTables = {
  /** Read receipts. */
  receipts: {
    user_id: string;
    room_id: string;
    receipt_type: string;
    /** Root of a thread, or `main`; empty for an unthreaded receipt. */
    thread_id: string;
    event_id: string;
    /** Stream position of the event; 0 if this server doesn't have it. */
    stream_ordering: number;
    ts: number;
    /** Stream position of the change. */
    stream_id: number;
  };
  /** Thread subscriptions, including ended ones. */
  thread_subscriptions: {
    user_id: string;
    room_id: string;
    /** Root event of the thread. */
    thread_id: string;
    /** `automatic` or `manual`; null if ended. */
    subscription: string | null;
    /** Newest stream position when the user unsubscribed; 0 if they never did. */
    ended_at: number;
    /** Stream position of the change. */
    stream_id: number;
  };
  /** Presence as last sent to others; offline without a row. */
  presence: {
    user_id: string;
    presence: string;
    status_msg: string | null;
    last_active_ts: number;
    /** Stream position of the change. */
    stream_id: number;
  };
  /** Users' connections, which each process updates from time to time. */
  presence_connections: {
    process: string;
    user_id: string;
    /** The presence that the user's clients set. */
    presence: string;
    until_ts: number;
  };
  /** Typing notifications. */
  typing: {
    room_id: string;
    user_id: string;
    /** When it expires; 0 if ended. */
    until_ts: number;
    /** Stream position of the last change. */
    stream_id: number;
  };
};
