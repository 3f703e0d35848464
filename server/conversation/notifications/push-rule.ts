/** Push rules. Client-server API, "Push Rules". */
import type { JsonObject } from '../../../shared/api/common.ts';

/** In the order of evaluation. */
export const ruleKinds = ['override', 'content', 'room', 'sender', 'underride'] as const;
export type RuleKind = (typeof ruleKinds)[number];

export type Action = string | JsonObject;
export type Condition = JsonObject;

export type PushRule = {
  ruleId: string;
  actions: readonly Action[];
  enabled: boolean;
  isDefault: boolean;
  /** Of `override` and `underride` rules. */
  conditions?: readonly Condition[];
  /** Of `content` rules. */
  pattern?: string;
};

export type Ruleset = Record<RuleKind, PushRule[]>;

/** A user's added rules by kind, and changed default rules by rule ID. */
export type OwnRules = {
  added: Partial<Record<RuleKind, Omit<PushRule, 'isDefault'>[]>>;
  changed: Record<string, { enabled?: boolean; actions?: readonly Action[] }>;
};

export const noOwnRules: OwnRules = { added: {}, changed: {} };

export const isNotified = (actions: readonly Action[]) =>
  actions.some((action) => action === 'notify' || action === 'coalesce');

export const isHighlighted = (actions: readonly Action[]) =>
  isNotified(actions) &&
  actions.some(
    (action) =>
      typeof action === 'object' && action.set_tweak === 'highlight' && (action.value ?? true) === true,
  );

/** Formats all rules as in `GET /pushrules/` and `m.push_rules`, under `global`. */
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
