import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export type PushTables = {
  /** Users with other rules than the default ones, or with ignored users. */
  push_rules: {
    user_id: string;
    /** JSON: `OwnRules`. */
    rules: string;
    /** JSON: IDs of ignored users. */
    ignored: string;
    /** Version of all rules at the last change of these. */
    version: number;
    /** Stream position of the change; 0 for the default rules. */
    stream_id: number;
  };
  /** One row. */
  push_rule_version: { version: number };
  /**
   * Rooms in which only `own_notifications` count for a user, because their rules silence events that notify everyone;
   * an empty room ID means all rooms. Outside of these rooms, events in this range of stream positions count.
   */
  push_apart: {
    user_id: string;
    room_id: string;
    from_place: number;
    /** Null for no end. */
    up_to_place: number | null;
  };
  /**
   * Events that notify every member except the sender. The counts are running totals of the event's thread, up to and
   * including this event; `own_` counts only events of the same sender.
   */
  notifying_events: {
    room_id: string;
    stream_ordering: number;
    /** Empty for the main timeline. */
    thread_id: string;
    sender: string;
    notifies: number;
    highlights: number;
    own_notifies: number;
    own_highlights: number;
    /** JSON. */
    actions: string;
  };
  /** Differences of a user's notifications from everyone's: running totals, by user and thread. */
  own_notifications: {
    user_id: string;
    room_id: string;
    thread_id: string;
    stream_ordering: number;
    notifies: number;
    highlights: number;
    /** JSON; empty if only this user isn't notified. */
    actions: string;
  };
  pushers: {
    id: Generated<number>;
    user_id: string;
    app_id: string;
    pushkey: string;
    /** The device that set it. */
    device_id: string | null;
    /** JSON: the client's other properties. */
    content: string;
    created_ts: number;
    /** Stream position of the last processed event. */
    place: number;
    /** Number of failures in a row. */
    attempts: Generated<number>;
    retry_ts: Generated<number>;
    /** Whether it got a notification since its last unread count of 0. */
    badged: Flag;
  };
  /** Delivery progress of application services. */
  app_service_places: {
    app_service_id: string;
    events_place: number;
    changes_place: number;
    /** Number of the pending transaction or the last one. */
    transaction_number: number;
    /** JSON; null if none is pending. */
    transaction_body: string | null;
    next_events_place: number;
    next_changes_place: number;
    attempts: number;
    retry_ts: number;
  };
};
