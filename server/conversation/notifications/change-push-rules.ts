/** Changing push rules. Client-server API, "Push Rules: API". */
import { isObject } from '../../../shared/is-object.ts';
import { findAccountData } from '../../identity/account-data/account-data-store.ts';
import { lockActiveUser } from '../../identity/accounts/user-store.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { settledEventPosition } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { rulesOf } from './default-rules.ts';
import { quietRooms } from './evaluate.ts';
import {
  type Action,
  type Condition,
  noOwnRules,
  type OwnRules,
  type PushRule,
  type RuleKind,
} from './push-rule.ts';
import { findOwnRules, setApart, setIgnored, setOwnRules } from './push-rule-store.ts';

/** Room IDs of an upgraded room and its replacement. */
export type Replacement = { from: string; to: string };

export type PushRuleContext = { db: Database; notifier: Notifier };

/** Own rules per user, and their size in characters of JSON. */
const maxRules = 500;
const maxLength = 200_000;

const bad = (sentence: string) => new MatrixError(400, 'M_UNKNOWN', sentence);
const unknownRule = () => notFound('Unknown rule');

type NewRule = {
  ruleId: string;
  actions: readonly unknown[];
  conditions?: readonly Condition[] | undefined;
  pattern?: string | undefined;
};

export type Beside = { before?: string | undefined; after?: string | undefined };

/** Adds or replaces a rule. @throws MatrixError 400 */
export async function putRule(
  context: PushRuleContext,
  userId: string,
  kind: RuleKind,
  rule: NewRule,
  { before, after }: Beside,
): Promise<void> {
  const added = ruleFrom(kind, rule);
  await change(context, userId, (own) => {
    const others = (own.added[kind] ?? []).filter(({ ruleId }) => ruleId !== added.ruleId);
    const known = own.added[kind]?.find(({ ruleId }) => ruleId === added.ruleId);
    const beside = before ?? after;
    // An existing rule keeps its position; a new one is first.
    let at = known && beside === undefined ? (own.added[kind]?.indexOf(known) ?? 0) : 0;
    if (beside !== undefined) {
      at = others.findIndex(({ ruleId }) => ruleId === beside);
      if (at === -1) throw bad(`before/after rule not found: global/${kind}/${beside}`);
      if (before === undefined) at++;
    }
    const rules = others.toSpliced(at, 0, { ...added, enabled: known?.enabled ?? true });
    return { ...own, added: { ...own.added, [kind]: rules } };
  });
}

/** @throws MatrixError 404 */
export async function deleteRule(
  context: PushRuleContext,
  userId: string,
  kind: RuleKind,
  ruleId: string,
): Promise<void> {
  await change(context, userId, (own) => {
    const rules = own.added[kind]?.filter((rule) => rule.ruleId !== ruleId);
    const isOwn = rules?.length !== own.added[kind]?.length;
    if (isOwn && rules) return { ...own, added: { ...own.added, [kind]: rules } };
    // Deleting a changed default rule restores it.
    const isChanged = Object.hasOwn(own.changed, ruleId);
    if (!isChanged || !rulesOf(userId, own)[kind].some((rule) => rule.ruleId === ruleId)) {
      throw notFound('Not found');
    }
    const { [ruleId]: _, ...changed } = own.changed;
    return { ...own, changed };
  });
}

/** Changes an own or a default rule. @throws MatrixError 404 */
export async function changeRule(
  context: PushRuleContext,
  userId: string,
  kind: RuleKind,
  ruleId: string,
  values: { enabled: boolean } | { actions: readonly unknown[] },
): Promise<void> {
  const changes = 'actions' in values ? { actions: actionsFrom(values.actions) } : values;
  await change(context, userId, (own) => {
    const rules = own.added[kind] ?? [];
    if (rules.some((rule) => rule.ruleId === ruleId)) {
      const changed = rules.map((rule) => (rule.ruleId === ruleId ? { ...rule, ...changes } : rule));
      return { ...own, added: { ...own.added, [kind]: changed } };
    }
    if (!rulesOf(userId, own)[kind].some((rule) => rule.ruleId === ruleId)) throw unknownRule();
    return { ...own, changed: { ...own.changed, [ruleId]: { ...own.changed[ruleId], ...changes } } };
  });
}

/** Copies the rules for a room to its replacement, unless that has rules, or the user would exceed the limits. */
export async function carryRules(
  tx: Tx,
  notifier: Notifier,
  userId: string,
  { from, to }: Replacement,
): Promise<void> {
  const isAbout = (roomId: string) => (condition: Condition) =>
    condition.kind === 'event_match' && condition.key === 'room_id' && condition.pattern === roomId;
  const withCopies = (own: OwnRules): OwnRules => {
    const added = Object.entries(own.added).map(([kind, rules]) => {
      const isKnown = (ruleId: string) => rules.some((rule) => rule.ruleId === ruleId);
      const about =
        kind === 'room'
          ? rules.filter(({ ruleId }) => ruleId === from)
          : rules.filter(({ conditions }) => conditions?.some(isAbout(from)));
      const copies = isKnown(to)
        ? []
        : about.slice(0, 1).map((rule) => ({
            ...rule,
            ruleId: to,
            ...(rule.conditions && {
              conditions: rule.conditions.map((condition) =>
                isAbout(from)(condition) ? { ...condition, pattern: to } : condition,
              ),
            }),
          }));
      return [kind, [...copies, ...rules]];
    });
    return { ...own, added: Object.fromEntries(added) };
  };
  const { rules } = await findOwnRules(tx, userId);
  const copied = withCopies(rules);
  if (JSON.stringify(copied) === JSON.stringify(rules) || areTooMany(copied)) return;
  await saveRules(tx, notifier, userId, copied, await settledEventPosition(tx));
}

/** Updates the copy of `m.ignored_user_list` beside the rules. Call it in the transaction that changes the list. */
export async function updateIgnored(tx: Tx, userId: string): Promise<void> {
  const content = await findAccountData(tx, { userId, type: 'm.ignored_user_list' });
  const { ignored_users: users } = content ?? {};
  const ignored = isObject(users) ? Object.keys(users) : [];
  const { ignored: before } = await findOwnRules(tx, userId);
  if (ignored.length > 0 || before.length > 0) await setIgnored(tx, userId, ignored);
}

async function change(
  { db, notifier }: PushRuleContext,
  userId: string,
  work: (own: OwnRules) => OwnRules,
): Promise<void> {
  const position = await settledEventPosition(db);
  await inTransaction(db, async (tx) => {
    await lockActiveUser(tx, userId);
    const own = await findOwnRules(tx, userId);
    const rules = work(own.rules);
    if (areTooMany(rules)) {
      throw new MatrixError(413, 'M_TOO_LARGE', 'Too many push rules. Remove some first.');
    }
    await saveRules(tx, notifier, userId, rules, position);
  });
}

function areTooMany(rules: OwnRules): boolean {
  const count = Object.values(rules.added).reduce((sum, added) => sum + added.length, 0);
  return count > maxRules || JSON.stringify(rules).length > maxLength;
}

/** @param position stream position from which the rules apply */
async function saveRules(
  tx: Tx,
  notifier: Notifier,
  userId: string,
  rules: OwnRules,
  position: number,
): Promise<void> {
  await setOwnRules(tx, userId, rules);
  const quiet = quietRooms(rules);
  await setApart(tx, userId, quiet === 'everywhere' ? new Set(['']) : quiet, position);
  afterCommit(tx, () => notifier.wake('users', userId));
}

type AddedRule = Omit<PushRule, 'isDefault' | 'enabled'>;

function ruleFrom(kind: RuleKind, { ruleId, actions, conditions, pattern }: NewRule): AddedRule {
  if (ruleId.startsWith('.')) throw bad("cannot add new rule_ids that start with '.'");
  if (/[/\\]/.test(ruleId)) throw bad('rule_id may not contain slashes');
  const rule = { ruleId, actions: actionsFrom(actions) };
  if (kind === 'content') {
    if (pattern === undefined) throw bad("Content rule missing 'pattern'");
    return { ...rule, pattern };
  }
  if (kind === 'room' || kind === 'sender') return rule;
  if (conditions === undefined) throw bad("Missing 'conditions'");
  if (conditions.some(({ kind: of }) => typeof of !== 'string')) throw bad("Condition without 'kind'");
  return { ...rule, conditions };
}

function actionsFrom(actions: readonly unknown[]): Action[] {
  return actions.map((action) => {
    if (action === 'notify' || action === 'dont_notify' || action === 'coalesce') return action;
    if (typeof action === 'object' && action !== null && 'set_tweak' in action) return action as Action;
    throw bad(`Unrecognised action ${JSON.stringify(action)}`);
  });
}

/** Resets a user's rules and ignored users. */
export async function forgetRules(tx: Tx, userId: string): Promise<void> {
  await setOwnRules(tx, userId, noOwnRules);
  await setIgnored(tx, userId, []);
  await setApart(tx, userId, new Set(), await settledEventPosition(tx));
}
