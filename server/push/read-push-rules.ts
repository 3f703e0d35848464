/** A user's push rules as a sync shows them: account data of the type `m.push_rules`. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { ChangesOfUser } from '../accounts/account-data-store.ts';
import type { Database } from '../database/schema.ts';
import { rulesOf } from './default-rules.ts';
import { asRuleset } from './push-rule-item.ts';
import { findOwnRules, wereRulesChanged } from './push-rule-store.ts';

/** The content of `m.push_rules`; undefined where it has not changed since a place in the order of changes. */
export async function readPushRulesSince(
  db: Database,
  { userId, after, upTo }: ChangesOfUser,
): Promise<JsonObject | undefined> {
  if (after !== undefined && !(await wereRulesChanged(db, { userId, after, upTo }))) return undefined;
  const { rules } = await findOwnRules(db, userId);
  return { global: asRuleset(rulesOf(userId, rules)) };
}
