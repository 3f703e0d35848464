/** What is new for a client. Matrix specification, client-server API, "Syncing". */
import { type Static, Type } from 'typebox';
import { Dictionary, failures, JsonObject } from './common.ts';

const milliseconds = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'Maximum wait for new events, in milliseconds',
});

export const SyncQuery = Type.Object({
  filter: Type.Optional(Type.String({ description: 'Filter ID, or a filter as JSON' })),
  since: Type.Optional(Type.String({ description: '`next_batch` of the last response' })),
  full_state: Type.Boolean({ default: false }),
  set_presence: Type.Union([Type.Literal('online'), Type.Literal('offline'), Type.Literal('unavailable')], {
    default: 'online',
  }),
  timeout: milliseconds,
  use_state_after: Type.Boolean({
    default: false,
    description: 'Return the state at the end of the timeline instead of its start',
  }),
  'org.matrix.msc4222.use_state_after': Type.Boolean({ default: false }),
});
export type SyncQuery = Static<typeof SyncQuery>;

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

export const SyncReply = Type.Object({
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
