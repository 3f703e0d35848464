import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export type RoomTables = {
  /** Numbers of rooms of each kind; a total is the sum of the parts. */
  room_totals: { is_public: Flag; is_empty: Flag; part: number; total: number };
  rooms: {
    room_id: string;
    room_version: string;
    creator: string;
    created_ts: number;
    /** From the current state, kept here so that lists need not read the state. */
    name: string | null;
    topic: string | null;
    canonical_alias: string | null;
    join_rule: string;
    history_visibility: string;
    /** Whether the room is in the public directory. */
    is_public: Flag;
    joined_members: number;
    avatar: Generated<string | null>;
    /** The algorithm that messages are encrypted with. */
    encryption: Generated<string | null>;
    guest_access: Generated<string | null>;
    /** Such as `m.space`; null for an ordinary room. */
    room_type: Generated<string | null>;
    /** Whether users of other servers may join. */
    federatable: Flag;
    /** How many pieces of state the room has. */
    state_events: Generated<number>;
    /** Name and topic in lower case, to be searched. */
    folded_name: Generated<string | null>;
    folded_topic: Generated<string | null>;
    /** The newest event: the next one's `prev_events`. Null only until the first event is appended. */
    head_event_id: string | null;
    head_depth: number;
  };
  events: {
    /** The order of all events on this server; within a room it is also the order of their depth. */
    stream_ordering: Generated<number>;
    event_id: string;
    room_id: string;
    type: string;
    /** Null for an event that is not state. */
    state_key: string | null;
    sender: string;
    origin_server_ts: number;
    depth: number;
    /** The whole event as it was sent and signed, canonical JSON; a redaction does not change it. */
    json: string;
    /** The event that redacted this one. */
    redacted_by: string | null;
    /** Purged from the room's history, and kept as state or as the only copy of what a local user sent. */
    purged: Flag;
    /** The sender's device and its transaction identifier: the same pair again is the same event. */
    device_id: string | null;
    transaction_id: string | null;
    /** The version of its room; null for version 11. */
    room_version: Generated<string | null>;
  };
  /** Events that say which other event they are about, without those that were redacted. */
  event_relations: {
    event_id: string;
    parent_id: string;
    rel_type: string;
    /** What an annotation says. */
    aggregation_key: string | null;
    /** Of the event: its sender, type and place. */
    sender: string;
    type: string;
    stream_ordering: number;
  };
  /** The threads of each room, so that those of a long history are found without reading it. */
  threads: {
    root_id: string;
    room_id: string;
    replies: number;
    /** The place of the latest reply. */
    latest: number;
  };
  /** The newest event of each type and state key. Older ones are found in `events`. */
  current_state: {
    room_id: string;
    type: string;
    state_key: string;
    event_id: string;
  };
  /** Who is what in which room now: the current state's member events by user. */
  memberships: {
    room_id: string;
    user_id: string;
    membership: string;
    /** The member event's. Who has left sees the room as it was then. */
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
  /** Rooms that application services list, each in its own directory for each network. */
  app_service_rooms: {
    app_service_id: string;
    network_id: string;
    room_id: string;
  };
  /** Rooms that nobody may join or make; the room itself need not exist. */
  blocked_rooms: {
    room_id: string;
    /** The administrator who blocked it. */
    user_id: string;
    blocked_ts: number;
  };
};
