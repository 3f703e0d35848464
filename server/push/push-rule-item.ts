/** Push rules as clients are shown them. */
import type { PushRule, Ruleset } from './push-rule.ts';

/** All rules, as `GET /pushrules/` and `m.push_rules` hold them under `global`. */
export const asRuleset = (rules: Ruleset) => ({
  override: rules.override.map(asItem),
  content: rules.content.map(asItem),
  room: rules.room.map(asItem),
  sender: rules.sender.map(asItem),
  underride: rules.underride.map(asItem),
});

export const asItem = ({ ruleId, actions, enabled, isDefault, conditions, pattern }: PushRule) => ({
  rule_id: ruleId,
  default: isDefault,
  enabled,
  actions: [...actions],
  ...(conditions && { conditions: [...conditions] }),
  ...(pattern !== undefined && { pattern }),
});
