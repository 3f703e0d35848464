/** Sync. Matrix specification, client-server API, "Syncing". */
import { type Static, Type } from 'typebox';
import { Dictionary, failures, JsonObject } from './common.ts';
import { ClientEvent } from './events.ts';

const syncMilliseconds = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'Maximum wait for new events, in milliseconds',
});

const SyncQuery = Type.Object({
  filter: Type.Optional(Type.String({ description: 'Filter ID, or a filter as JSON' })),
  since: Type.Optional(Type.String({ description: '`next_batch` of the last response' })),
  full_state: Type.Boolean({ default: false }),
  set_presence: Type.Union([Type.Literal('online'), Type.Literal('offline'), Type.Literal('unavailable')], {
    default: 'online',
  }),
  timeout: syncMilliseconds,
  use_state_after: Type.Boolean({
    default: false,
    description: 'Return the state at the end of the timeline instead of its start',
  }),
  'org.matrix.msc4222.use_state_after': Type.Boolean({ default: false }),
});

const Events = Type.Object({ events: Type.Array(JsonObject) });

const UnreadCount = Type.Object({ notification_count: Type.Integer(), highlight_count: Type.Integer() });

const LeftRoom = {
  timeline: Type.Object({
    events: Type.Array(JsonObject),
    limited: Type.Boolean(),
    prev_batch: Type.String(),
  }),
  state: Type.Optional(Events),
  state_after: Type.Optional(Events),
  account_data: Events,
};

const SyncReply = Type.Object({
  next_batch: Type.String(),
  rooms: Type.Optional(
    Type.Object({
      join: Type.Optional(
        Dictionary(
          Type.Object({
            ...LeftRoom,
            ephemeral: Events,
            summary: JsonObject,
            unread_notifications: UnreadCount,
            unread_thread_notifications: Type.Optional(Dictionary(UnreadCount)),
          }),
        ),
      ),
      invite: Type.Optional(Dictionary(Type.Object({ invite_state: Events }))),
      knock: Type.Optional(Dictionary(Type.Object({ knock_state: Events }))),
      leave: Type.Optional(Dictionary(Type.Object(LeftRoom))),
    }),
  ),
  account_data: Type.Optional(Events),
  presence: Type.Optional(Events),
  to_device: Type.Optional(Events),
  device_lists: Type.Optional(
    Type.Object({
      changed: Type.Optional(Type.Array(Type.String())),
      left: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  device_one_time_keys_count: Dictionary(Type.Integer()),
  device_unused_fallback_key_types: Type.Array(Type.String()),
});

export const getSync = { querystring: SyncQuery, response: { 200: SyncReply, ...failures } };

/** Filters. Matrix specification, client-server API, "Filtering". */

const userIds = Type.Array(Type.String({ pattern: '^@' }));
const roomIds = Type.Array(Type.String({ pattern: '^!' }));

const eventFilter = {
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  types: Type.Optional(Type.Array(Type.String())),
  not_types: Type.Optional(Type.Array(Type.String())),
  senders: Type.Optional(userIds),
  not_senders: Type.Optional(userIds),
};
const rooms = { rooms: Type.Optional(roomIds), not_rooms: Type.Optional(roomIds) };

export const EventFilter = Type.Object(eventFilter);
export type EventFilter = Static<typeof EventFilter>;

export const RoomEventFilter = Type.Object({
  ...eventFilter,
  ...rooms,
  contains_url: Type.Optional(Type.Boolean()),
  lazy_load_members: Type.Optional(Type.Boolean()),
  include_redundant_members: Type.Optional(Type.Boolean()),
  unread_thread_notifications: Type.Optional(Type.Boolean()),
  related_by_rel_types: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
  related_by_senders: Type.Optional(userIds),
});
export type RoomEventFilter = Static<typeof RoomEventFilter>;

export const Filter = Type.Object(
  {
    event_fields: Type.Optional(Type.Array(Type.String())),
    event_format: Type.Optional(Type.Union([Type.Literal('client'), Type.Literal('federation')])),
    presence: Type.Optional(EventFilter),
    account_data: Type.Optional(EventFilter),
    room: Type.Optional(
      Type.Object({
        ...rooms,
        include_leave: Type.Optional(Type.Boolean()),
        ephemeral: Type.Optional(RoomEventFilter),
        state: Type.Optional(RoomEventFilter),
        timeline: Type.Optional(RoomEventFilter),
        account_data: Type.Optional(RoomEventFilter),
      }),
    ),
  },
  { additionalProperties: true },
);
export type Filter = Static<typeof Filter>;

const ofUser = { userId: Type.String() };

export const postFilter = {
  params: Type.Object(ofUser),
  body: Filter,
  response: { 200: Type.Object({ filter_id: Type.String() }), ...failures },
};

export const getFilter = {
  params: Type.Object({ ...ofUser, filterId: Type.String() }),
  response: {
    200: Type.Unsafe<Filter>({ type: 'object', additionalProperties: true }),
    ...failures,
  },
};

/** Predecessors of `/sync`. Matrix specification, client-server API, deprecated endpoints. */

const milliseconds = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 });
const limit = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 10 });

export const getEvents = {
  querystring: Type.Object({
    from: Type.Optional(Type.String({ description: '`end` of the last response; default: now' })),
    timeout: milliseconds,
    room_id: Type.Optional(Type.String()),
  }),
  response: {
    200: Type.Object({ chunk: Type.Array(JsonObject), start: Type.String(), end: Type.String() }),
    ...failures,
  },
};

export const getEventAlone = {
  params: Type.Object({ eventId: Type.String() }),
  response: { 200: ClientEvent, ...failures },
};

const LegacyRoom = Type.Object(
  {
    room_id: Type.String(),
    membership: Type.Optional(Type.String({ description: 'Omitted for a peeked room' })),
  },
  { additionalProperties: true },
);

export const getInitialSync = {
  querystring: Type.Object({ limit, archived: Type.Boolean({ default: false }) }),
  response: {
    200: Type.Object({
      end: Type.String(),
      rooms: Type.Array(LegacyRoom),
      presence: Type.Array(JsonObject),
      receipts: Type.Array(JsonObject),
      account_data: Type.Array(JsonObject),
    }),
    ...failures,
  },
};

export const getRoomInitialSync = {
  params: Type.Object({ roomId: Type.String() }),
  querystring: Type.Object({ limit }),
  response: { 200: LegacyRoom, ...failures },
};
