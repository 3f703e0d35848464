import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export type RoomTables = {
  /** Numbers of rooms by their properties; a total is the sum of its parts. */
  room_totals: { is_public: Flag; is_empty: Flag; part: number; total: number };
  rooms: {
    room_id: string;
    room_version: string;
    creator: string;
    created_ts: number;
    /** Copied from the current state for lists. */
    name: string | null;
    topic: string | null;
    canonical_alias: string | null;
    join_rule: string;
    history_visibility: string;
    /** Whether the room is in the room directory. */
    is_public: Flag;
    joined_members: number;
    avatar: Generated<string | null>;
    /** The encryption algorithm; null if unencrypted. */
    encryption: Generated<string | null>;
    guest_access: Generated<string | null>;
    /** Such as `m.space`; null for an ordinary room. */
    room_type: Generated<string | null>;
    /** Whether remote users may join. */
    federatable: Flag;
    /** Number of entries of the current state. */
    state_events: Generated<number>;
    /** Name and topic in lower case, for search. */
    folded_name: Generated<string | null>;
    folded_topic: Generated<string | null>;
    /** The newest event: the next one's `prev_events`. Null only until the first event is appended. */
    head_event_id: string | null;
    head_depth: number;
  };
  events: {
    /** Stream position. Within a room, events are also in the order of their depth. */
    stream_ordering: Generated<number>;
    event_id: string;
    room_id: string;
    type: string;
    /** Null unless it's a state event. */
    state_key: string | null;
    sender: string;
    origin_server_ts: number;
    depth: number;
    /** The event as signed, as canonical JSON; redactions don't change it. */
    json: string;
    /** The event that redacted this one. */
    redacted_by: string | null;
    /** Purged from the history, but kept as state or as the only copy of a local user's event. */
    purged: Flag;
    /** The sender's device and transaction ID, which identify a repeated request. */
    device_id: string | null;
    transaction_id: string | null;
    /** The version of its room; null for version 11. */
    room_version: Generated<string | null>;
  };
  /** Relations of events that aren't redacted. */
  event_relations: {
    event_id: string;
    parent_id: string;
    rel_type: string;
    /** The key of an annotation. */
    aggregation_key: string | null;
    /** Sender, type and stream position of the relating event. */
    sender: string;
    type: string;
    stream_ordering: number;
  };
  /** The threads of each room, to list them without reading the history. */
  threads: {
    root_id: string;
    room_id: string;
    replies: number;
    /** Stream position of the latest reply. */
    latest: number;
  };
  /** The newest event by type and state key. Older ones are in `events`. */
  current_state: {
    room_id: string;
    type: string;
    state_key: string;
    event_id: string;
  };
  /** Current memberships, by user. */
  memberships: {
    room_id: string;
    user_id: string;
    membership: string;
    /** Stream position of the member event, up to which a user who left can read. */
    stream_ordering: number;
    /** Whether the user forgot the room after leaving it. */
    forgotten: Flag;
  };
  room_aliases: {
    alias: string;
    room_id: string;
    creator: string;
    created_ts: number;
  };
  /** Rooms in the directories of application services, by network. */
  app_service_rooms: {
    app_service_id: string;
    network_id: string;
    room_id: string;
  };
  /** Blocked room IDs; the room may not exist. */
  blocked_rooms: {
    room_id: string;
    /** The administrator who blocked it. */
    user_id: string;
    blocked_ts: number;
  };
};
