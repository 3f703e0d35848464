import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export type PushTables = {
  /** Who has rules other than the defaults, or ignores somebody. */
  push_rules: {
    user_id: string;
    /** JSON: `OwnRules`. */
    rules: string;
    /** JSON: the users whom the user ignores. */
    ignored: string;
    /** The number of the change among all changes of rules, in the order of their commits. */
    version: number;
    /** The change that set the rules, in the order of all changes; 0 where they are the defaults. */
    stream_id: number;
  };
  /** One row: how often rules were changed. */
  push_rule_version: { version: number };
  /** In which rooms a user is notified of nothing but what `own_notifications` says; an empty room is all of them. */
  push_apart: {
    user_id: string;
    room_id: string;
    /** What notified everyone counts from this place on. */
    from_place: number;
    /** And up to this one; without an end where it is null. */
    up_to_place: number | null;
  };
  /**
   * Events that notify everyone who is in the room, but their sender. Numbers say how many there are up to this one in
   * the main thread, and in its own where it is in another; `own_` is of the same sender.
   */
  notifying_events: {
    room_id: string;
    stream_ordering: number;
    /** Empty in the main thread. */
    thread_id: string;
    sender: string;
    notifies: number;
    highlights: number;
    own_notifies: number;
    own_highlights: number;
    thread_notifies: number;
    thread_highlights: number;
    own_thread_notifies: number;
    own_thread_highlights: number;
    /** JSON. */
    actions: string;
  };
  /** Where one user is notified otherwise than everyone: as much more, or less, up to this event. */
  own_notifications: {
    user_id: string;
    room_id: string;
    thread_id: string;
    stream_ordering: number;
    notifies: number;
    highlights: number;
    /** JSON; an empty list where the user alone is not notified. */
    actions: string;
  };
  pushers: {
    id: Generated<number>;
    user_id: string;
    app_id: string;
    pushkey: string;
    /** The device that set it. */
    device_id: string | null;
    /** JSON: what else the client said of it. */
    content: string;
    created_ts: number;
    /** The last event that was dealt with. */
    place: number;
    /** How often in a row its gateway could not be reached. */
    attempts: Generated<number>;
    retry_ts: Generated<number>;
    /** Whether it was told of something since it was last told that nothing is unread. */
    badged: Flag;
  };
  /** How much of what happens an application service has been told. */
  app_service_places: {
    app_service_id: string;
    events_place: number;
    changes_place: number;
    /** Of the transaction that is on its way, or was the last. */
    transaction_number: number;
    /** JSON; null where none is on its way. */
    transaction_body: string | null;
    next_events_place: number;
    next_changes_place: number;
    attempts: number;
    retry_ts: number;
  };
};
