/** What a client asks to be shown. Matrix specification, client-server API, "Filtering". */
import { type Static, Type } from 'typebox';
import { failures } from './common.ts';

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
