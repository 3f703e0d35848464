/** Search for messages and users. Matrix specification, client-server API, "Server Side Search", "User Directory". */
import { type Static, Type } from 'typebox';
import { Dictionary, failures, JsonObject, Nullable } from './common.ts';
import { ClientEvent } from './events.ts';

const contextLimit = Type.Integer({ minimum: 0, default: 5 });

export const RoomEventsCriteria = Type.Object(
  {
    search_term: Type.String({ description: 'Words, "phrases", `or`, and `-` to exclude a word' }),
    keys: Type.Optional(Type.Array(Type.String())),
    filter: Type.Optional(JsonObject),
    order_by: Type.Optional(Type.String({ description: '`rank` or `recent`' })),
    event_context: Type.Optional(
      Type.Object(
        {
          before_limit: contextLimit,
          after_limit: contextLimit,
          include_profile: Type.Boolean({ default: false }),
        },
        { additionalProperties: true },
      ),
    ),
    include_state: Type.Optional(Type.Boolean()),
    groupings: Type.Optional(
      Type.Object(
        {
          group_by: Type.Optional(
            Type.Array(Type.Object({ key: Type.Optional(Type.String()) }, { additionalProperties: true })),
          ),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true },
);
export type RoomEventsCriteria = Static<typeof RoomEventsCriteria>;

export const EventSurroundings = Type.Object({
  events_before: Type.Array(ClientEvent),
  events_after: Type.Array(ClientEvent),
  start: Type.String(),
  end: Type.String(),
  profile_info: Type.Optional(Dictionary(JsonObject)),
});
export const FoundEvents = Type.Object({
  count: Type.Integer(),
  highlights: Type.Array(Type.String()),
  results: Type.Array(
    Type.Object({ rank: Type.Number(), result: ClientEvent, context: Type.Optional(EventSurroundings) }),
  ),
  state: Type.Optional(Dictionary(Type.Array(ClientEvent))),
  groups: Type.Optional(Dictionary(Dictionary(JsonObject))),
  next_batch: Type.Optional(Type.String({ description: 'Omitted on the last page' })),
});
export type FoundEvents = Static<typeof FoundEvents>;

export const postSearch = {
  querystring: Type.Object({ next_batch: Type.Optional(Type.String()) }),
  body: Type.Object(
    {
      search_categories: Type.Optional(
        Type.Object(
          { room_events: Type.Optional(Type.Partial(RoomEventsCriteria)) },
          { additionalProperties: true },
        ),
      ),
    },
    { additionalProperties: true },
  ),
  response: {
    200: Type.Object({ search_categories: Type.Object({ room_events: FoundEvents }) }),
    ...failures,
  },
};

const FoundUsers = Type.Object({
  limited: Type.Boolean({ description: 'More results exist' }),
  results: Type.Array(
    Type.Object({
      user_id: Type.String(),
      display_name: Nullable(Type.String()),
      avatar_url: Nullable(Type.String()),
    }),
  ),
});
export const searchUsers = {
  body: Type.Object(
    { search_term: Type.String(), limit: Type.Integer({ default: 10 }) },
    { additionalProperties: true },
  ),
  response: { 200: FoundUsers, ...failures },
};
