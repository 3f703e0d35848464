/** Simplified sliding sync. Matrix proposal 4186. */
import { type Static, Type } from 'typebox';
import { Dictionary, failures, JsonObject, Nullable } from './common.ts';

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const texts = Type.Array(Type.String());

const wanted = {
  timeline_limit: count,
  required_state: Type.Array(Type.Tuple([Type.String(), Type.String()]), { maxItems: 1_000 }),
};

export const SlidingFilters = Type.Object({
  is_dm: Type.Optional(Type.Boolean()),
  is_encrypted: Type.Optional(Type.Boolean()),
  is_invite: Type.Optional(Type.Boolean()),
  room_types: Type.Optional(Type.Array(Nullable(Type.String()))),
  not_room_types: Type.Optional(Type.Array(Nullable(Type.String()))),
  room_name_like: Type.Optional(Type.String()),
  spaces: Type.Optional(texts),
  tags: Type.Optional(texts),
  not_tags: Type.Optional(texts),
});
export type SlidingFilters = Static<typeof SlidingFilters>;

export const SlidingList = Type.Object({
  ...wanted,
  ranges: Type.Optional(Type.Array(Type.Tuple([count, count]), { maxItems: 10 })),
  filters: Type.Optional(SlidingFilters),
});
export type SlidingList = Static<typeof SlidingList>;

export const RoomSubscription = Type.Object(wanted);
export type RoomSubscription = Static<typeof RoomSubscription>;

const extension = Type.Object({ enabled: Type.Optional(Type.Boolean()) });

/** An extension that covers rooms: those of these lists, and these subscribed ones. */
const ofRooms = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  lists: Type.Optional(Type.Array(Type.String(), { description: 'List names; `*` (default) for all' })),
  rooms: Type.Optional(Type.Array(Type.String(), { description: 'Room IDs; `*` (default) for all' })),
});
export type RoomScope = Static<typeof ofRooms>;

export const SlidingExtensions = Type.Object({
  to_device: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      since: Type.Optional(Type.String({ description: '`next_batch` of the last response' })),
    }),
  ),
  e2ee: Type.Optional(extension),
  account_data: Type.Optional(ofRooms),
  receipts: Type.Optional(ofRooms),
  typing: Type.Optional(ofRooms),
  'io.element.msc4308.thread_subscriptions': Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    }),
  ),
});
export type SlidingExtensions = Static<typeof SlidingExtensions>;

export const SlidingSyncBody = Type.Object({
  conn_id: Type.Optional(Type.String({ maxLength: 255 })),
  lists: Type.Optional(Dictionary(SlidingList, { maxProperties: 100 })),
  room_subscriptions: Type.Optional(Dictionary(RoomSubscription)),
  extensions: Type.Optional(SlidingExtensions),
});
export type SlidingSyncBody = Static<typeof SlidingSyncBody>;

export const SlidingRoom = Type.Object(
  {
    bump_stamp: Type.Integer(),
    initial: Type.Optional(Type.Boolean()),
    timeline: Type.Optional(Type.Array(JsonObject)),
    required_state: Type.Optional(Type.Array(JsonObject)),
  },
  { additionalProperties: true },
);
export type SlidingRoom = Static<typeof SlidingRoom> & JsonObject;

export const SlidingSyncReply = Type.Object({
  pos: Type.String(),
  lists: Type.Optional(
    Dictionary(
      Type.Object({
        count: Type.Integer(),
        ops: Type.Array(
          Type.Object({
            op: Type.Literal('SYNC'),
            range: Type.Array(Type.Integer()),
            room_ids: texts,
          }),
        ),
      }),
    ),
  ),
  rooms: Dictionary(SlidingRoom),
  extensions: JsonObject,
});
export type SlidingSyncReply = Static<typeof SlidingSyncReply>;

export const postSlidingSync = {
  querystring: Type.Object({
    pos: Type.Optional(Type.String({ description: '`pos` of the last response on this connection' })),
    timeout: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
    set_presence: Type.Union([Type.Literal('online'), Type.Literal('offline'), Type.Literal('unavailable')], {
      default: 'online',
    }),
  }),
  body: SlidingSyncBody,
  response: { 200: SlidingSyncReply, ...failures },
};
