/** Push rules. Matrix specification, client-server API, "Push Rules". */
import { Type } from 'typebox';
import { EmptyObject, failures, JsonObject } from './common.ts';

const Actions = Type.Array(Type.Unknown(), { maxItems: 50 });

const PushRuleItem = Type.Object({
  rule_id: Type.String(),
  default: Type.Boolean(),
  enabled: Type.Boolean(),
  actions: Type.Array(Type.Unknown()),
  conditions: Type.Optional(Type.Array(JsonObject)),
  pattern: Type.Optional(Type.String()),
});

const Rules = Type.Array(PushRuleItem);
const RulesetItem = Type.Object({
  override: Rules,
  content: Rules,
  room: Rules,
  sender: Rules,
  underride: Rules,
});

const ofKind = { kind: Type.String() };
const ofRule = { ...ofKind, ruleId: Type.String({ minLength: 1 }) };
const Enabled = Type.Object({ enabled: Type.Boolean() });

export const getPushRules = { response: { 200: Type.Object({ global: RulesetItem }), ...failures } };
export const getPushRulesAsAccountData = {
  params: Type.Object({ userId: Type.String() }),
  ...getPushRules,
};
export const getGlobalPushRules = { response: { 200: RulesetItem, ...failures } };
export const getPushRulesOfKind = { params: Type.Object(ofKind), response: { 200: Rules, ...failures } };
export const getPushRule = { params: Type.Object(ofRule), response: { 200: PushRuleItem, ...failures } };
export const putPushRule = {
  params: Type.Object(ofRule),
  querystring: Type.Object({
    before: Type.Optional(Type.String({ description: 'ID of the next rule' })),
    after: Type.Optional(Type.String({ description: 'ID of the previous rule' })),
  }),
  body: Type.Object(
    {
      actions: Actions,
      conditions: Type.Optional(Type.Array(JsonObject, { maxItems: 50 })),
      pattern: Type.Optional(Type.String({ maxLength: 500 })),
    },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};
export const deletePushRule = { params: Type.Object(ofRule), response: { 200: EmptyObject, ...failures } };
export const getPushRuleEnabled = {
  params: Type.Object(ofRule),
  response: { 200: Enabled, ...failures },
};
export const putPushRuleEnabled = {
  params: Type.Object(ofRule),
  body: Enabled,
  response: { 200: EmptyObject, ...failures },
};
export const getPushRuleActions = {
  params: Type.Object(ofRule),
  response: { 200: Type.Object({ actions: Type.Array(Type.Unknown()) }), ...failures },
};
export const putPushRuleActions = {
  params: Type.Object(ofRule),
  body: Type.Object({ actions: Actions }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};

/** Pushers. Matrix specification, client-server API, "Push Notifications". */

const PusherItem = Type.Object({
  app_id: Type.String(),
  pushkey: Type.String(),
  kind: Type.String(),
  app_display_name: Type.String(),
  device_display_name: Type.String(),
  profile_tag: Type.String(),
  lang: Type.String(),
  data: JsonObject,
});

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
