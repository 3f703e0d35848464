/** What people want to be notified of. Matrix specification, client-server API, "Push Rules". */
import { Type } from 'typebox';
import { EmptyObject, failures, JsonObject } from './common.ts';

const Actions = Type.Array(Type.Unknown(), { maxItems: 50 });

export const PushRuleItem = Type.Object({
  rule_id: Type.String(),
  default: Type.Boolean(),
  enabled: Type.Boolean(),
  actions: Type.Array(Type.Unknown()),
  conditions: Type.Optional(Type.Array(JsonObject)),
  pattern: Type.Optional(Type.String()),
});

const Rules = Type.Array(PushRuleItem);
export const RulesetItem = Type.Object({
  override: Rules,
  content: Rules,
  room: Rules,
  sender: Rules,
  underride: Rules,
});

const ofKind = { kind: Type.String() };
const ofRule = { ...ofKind, ruleId: Type.String() };
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
