import {
  deletePushRule,
  getGlobalPushRules,
  getPushRule,
  getPushRuleActions,
  getPushRuleEnabled,
  getPushRules,
  getPushRulesAsAccountData,
  getPushRulesOfKind,
  putPushRule,
  putPushRuleActions,
  putPushRuleEnabled,
} from '../../../shared/api/notifications.ts';
import { readingOwn } from '../../identity/accounts/own-data-policy.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import * as changing from './change-push-rules.ts';
import { rulesOf } from './default-rules.ts';
import { asItem, asRuleset, type RuleKind, ruleKinds } from './push-rule.ts';
import { findOwnRules } from './push-rule-store.ts';

const changes: UserPolicy = { ...user, limits: [{ of: 'accountData', by: 'user' }] };

export const pushRuleRoutes: Routes<changing.PushRuleContext> = (app, context) => {
  const read = { config: { policy: user } };
  const change = { config: { policy: changes } };
  const rulesFor = async (userId: string) => rulesOf(userId, (await findOwnRules(context.db, userId)).rules);
  const find = async (userId: string, { kind, ruleId }: { kind: string; ruleId: string }) => {
    const rules = await rulesFor(userId);
    const rule = rules[known(kind)].find((each) => each.ruleId === ruleId);
    if (!rule) throw notFound('Not found');
    return rule;
  };

  app.get('/pushrules/', { schema: getPushRules, ...read }, async ({ requester }) => ({
    global: asRuleset(await rulesFor(requester.userId)),
  }));

  app.get(
    '/user/:userId/account_data/m.push_rules',
    { schema: getPushRulesAsAccountData, config: { policy: readingOwn('get account data') } },
    async ({ requester }) => ({ global: asRuleset(await rulesFor(requester.userId)) }),
  );

  app.get('/pushrules/global/', { schema: getGlobalPushRules, ...read }, async ({ requester }) =>
    asRuleset(await rulesFor(requester.userId)),
  );

  app.get(
    '/pushrules/global/:kind/',
    { schema: getPushRulesOfKind, ...read },
    async ({ params, requester }) => (await rulesFor(requester.userId))[known(params.kind)].map(asItem),
  );

  const path = '/pushrules/global/:kind/:ruleId';

  app.get(path, { schema: getPushRule, ...read }, async ({ params, requester }) =>
    asItem(await find(requester.userId, params)),
  );

  app.get(`${path}/enabled`, { schema: getPushRuleEnabled, ...read }, async ({ params, requester }) => ({
    enabled: (await find(requester.userId, params)).enabled,
  }));

  app.get(`${path}/actions`, { schema: getPushRuleActions, ...read }, async ({ params, requester }) => ({
    actions: [...(await find(requester.userId, params)).actions],
  }));

  app.put(
    path,
    { schema: putPushRule, ...change },
    async ({ params: { kind, ruleId }, query, body, requester }) => {
      const { actions, conditions, pattern } = body;
      const rule = { ruleId, actions, conditions, pattern };
      await changing.putRule(context, requester.userId, known(kind), rule, query);
      return {};
    },
  );

  app.delete(path, { schema: deletePushRule, ...change }, async ({ params, requester }) => {
    await changing.deleteRule(context, requester.userId, known(params.kind), params.ruleId);
    return {};
  });

  app.put(
    `${path}/enabled`,
    { schema: putPushRuleEnabled, ...change },
    async ({ params: { kind, ruleId }, body: { enabled }, requester }) => {
      await changing.changeRule(context, requester.userId, known(kind), ruleId, { enabled });
      return {};
    },
  );

  app.put(
    `${path}/actions`,
    { schema: putPushRuleActions, ...change },
    async ({ params: { kind, ruleId }, body: { actions }, requester }) => {
      await changing.changeRule(context, requester.userId, known(kind), ruleId, { actions });
      return {};
    },
  );

  // Clients and their tests expect the same status as for an unknown kind.
  app.route({
    method: ['GET', 'PUT', 'DELETE'],
    url: '/pushrules/*',
    ...read,
    handler() {
      throw new MatrixError(400, 'M_UNRECOGNIZED', 'Unrecognized request');
    },
  });
};

/** @throws MatrixError 400 */
function known(kind: string): RuleKind {
  const found = ruleKinds.find((each) => each === kind);
  if (!found) throw new MatrixError(400, 'M_UNRECOGNIZED', `Unrecognised template: ${kind}`);
  return found;
}
