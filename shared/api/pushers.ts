/** Where notifications are sent. Matrix specification, client-server API, "Push Notifications". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject } from './common.ts';

export const PusherItem = Type.Object({
  app_id: Type.String(),
  pushkey: Type.String(),
  kind: Type.String(),
  app_display_name: Type.String(),
  device_display_name: Type.String(),
  profile_tag: Type.String(),
  lang: Type.String(),
  data: JsonObject,
});
export type PusherItem = Static<typeof PusherItem>;

export const getPushers = {
  response: { 200: Type.Object({ pushers: Type.Array(PusherItem) }), ...failures },
};

const short = (maxLength: number) => Type.String({ maxLength });

export const setPusher = {
  body: Type.Object(
    {
      app_id: short(64),
      pushkey: short(512),
      kind: Type.Unsafe<'http' | null>({ enum: ['http', null], description: 'Null deletes the pusher' }),
      app_display_name: Type.Optional(short(200)),
      device_display_name: Type.Optional(short(200)),
      profile_tag: Type.Optional(short(100)),
      lang: Type.Optional(short(50)),
      data: Type.Optional(JsonObject),
      append: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

export const getNotifications = {
  querystring: Type.Object({
    from: Type.Optional(Type.String({ description: '`next_token` of an earlier page' })),
    limit: Type.Integer({ minimum: 0, default: 50 }),
    only: Type.Optional(Type.String({ description: '`highlight` for highlights only' })),
  }),
  response: {
    200: Type.Object({
      notifications: Type.Array(
        Type.Object({
          actions: Type.Array(Type.Unknown()),
          event: JsonObject,
          profile_tag: Type.Optional(Type.String()),
          read: Type.Boolean(),
          room_id: Type.String(),
          ts: Type.Integer({ description: 'Milliseconds since the Unix epoch' }),
        }),
      ),
      next_token: Type.Optional(Type.String()),
    }),
    ...failures,
  },
};
