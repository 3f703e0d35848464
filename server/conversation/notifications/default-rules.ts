/** Default push rules. Client-server API, "Predefined Rules". */

import type { JsonObject } from '../../../shared/api/common.ts';
import type { ChangesOfUser } from '../../identity/account-data/account-data-store.ts';
import { localpartOf } from '../../platform/core/identifiers.ts';
import type { Database } from '../../platform/database/schema.ts';
import {
  type Action,
  asRuleset,
  type Condition,
  type OwnRules,
  type PushRule,
  type RuleKind,
  type Ruleset,
} from './push-rule.ts';
import { findOwnRules, wereRulesChanged } from './push-rule-store.ts';

const matches = (key: string, pattern: string): Condition => ({ kind: 'event_match', key, pattern });
const highlight: Action = { set_tweak: 'highlight' };
const noHighlight: Action = { set_tweak: 'highlight', value: false };
const sound = (value: string): Action => ({ set_tweak: 'sound', value });
const oneToOne: Condition = { kind: 'room_member_count', is: '2' };
const mayNotifyRoom: Condition = { kind: 'sender_notification_permission', key: 'room' };

type Default = Omit<PushRule, 'isDefault' | 'enabled'>;

const rule = (ruleId: string, conditions: Condition[], actions: Action[]): Default => ({
  ruleId,
  conditions,
  actions,
});

const first = rule('.m.rule.master', [], []);

const overrides = (userId: string): Default[] => [
  rule('.m.rule.suppress_notices', [matches('content.msgtype', 'm.notice')], []),
  rule(
    '.m.rule.invite_for_me',
    [matches('type', 'm.room.member'), matches('content.membership', 'invite'), matches('state_key', userId)],
    ['notify', noHighlight, sound('default')],
  ),
  rule('.m.rule.member_event', [matches('type', 'm.room.member')], []),
  rule(
    '.m.rule.is_user_mention',
    [{ kind: 'event_property_contains', key: 'content.m\\.mentions.user_ids', value: userId }],
    ['notify', highlight, sound('default')],
  ),
  rule(
    '.m.rule.contains_display_name',
    [{ kind: 'contains_display_name' }],
    ['notify', highlight, sound('default')],
  ),
  rule(
    '.m.rule.is_room_mention',
    [{ kind: 'event_property_is', key: 'content.m\\.mentions.room', value: true }, mayNotifyRoom],
    ['notify', highlight],
  ),
  rule('.m.rule.roomnotif', [mayNotifyRoom, matches('content.body', '@room')], ['notify', highlight]),
  rule(
    '.m.rule.tombstone',
    [matches('type', 'm.room.tombstone'), matches('state_key', '')],
    ['notify', highlight],
  ),
  rule('.m.rule.reaction', [matches('type', 'm.reaction')], []),
  rule('.m.rule.room.server_acl', [matches('type', 'm.room.server_acl'), matches('state_key', '')], []),
  rule(
    '.m.rule.suppress_edits',
    [{ kind: 'event_property_is', key: 'content.m\\.relates_to.rel_type', value: 'm.replace' }],
    [],
  ),
];

const contents = (userId: string): Default[] => [
  {
    ruleId: '.m.rule.contains_user_name',
    pattern: localpartOf(userId),
    actions: ['notify', highlight, sound('default')],
  },
];

const underrides: Default[] = [
  rule('.m.rule.call', [matches('type', 'm.call.invite')], ['notify', sound('ring'), noHighlight]),
  rule(
    '.m.rule.encrypted_room_one_to_one',
    [matches('type', 'm.room.encrypted'), oneToOne],
    ['notify', sound('default'), noHighlight],
  ),
  rule(
    '.m.rule.room_one_to_one',
    [matches('type', 'm.room.message'), oneToOne],
    ['notify', sound('default'), noHighlight],
  ),
  rule('.m.rule.message', [matches('type', 'm.room.message')], ['notify', noHighlight]),
  rule('.m.rule.encrypted', [matches('type', 'm.room.encrypted')], ['notify', noHighlight]),
  rule(
    '.im.vector.jitsi',
    [
      matches('type', 'im.vector.modular.widgets'),
      matches('content.type', 'jitsi'),
      matches('state_key', '*'),
    ],
    ['notify', noHighlight],
  ),
];

/** Merges default and own rules, in the order of evaluation. */
export function rulesOf(userId: string, { added, changed }: OwnRules): Ruleset {
  const asChanged = (rules: Default[]): PushRule[] =>
    rules.map((each) => {
      const change = Object.hasOwn(changed, each.ruleId) ? changed[each.ruleId] : undefined;
      return { ...each, enabled: each !== first, isDefault: true, ...change };
    });
  const own = (kind: RuleKind): PushRule[] =>
    (added[kind] ?? []).map((each) => ({ ...each, isDefault: false }));
  return {
    override: [...asChanged([first]), ...own('override'), ...asChanged(overrides(userId))],
    content: [...own('content'), ...asChanged(contents(userId))],
    room: own('room'),
    sender: own('sender'),
    underride: [...own('underride'), ...asChanged(underrides)],
  };
}

/** Returns the content of `m.push_rules`; undefined if it hasn't changed since a stream position. */
export async function readPushRulesSince(
  db: Database,
  { userId, after, upTo }: ChangesOfUser,
): Promise<JsonObject | undefined> {
  if (after !== undefined && !(await wereRulesChanged(db, { userId, after, upTo }))) return undefined;
  const { rules } = await findOwnRules(db, userId);
  return { global: asRuleset(rulesOf(userId, rules)) };
}
