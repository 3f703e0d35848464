import { i18n } from '@lingui/core';
import {
  type Icon,
  IconHierarchy,
  IconLock,
  IconLogin2,
  IconMail,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import { QuotedText } from '../components/event/EventReference.tsx';
import { type State, StateMark } from '../components/State.tsx';

type Rules = ReadonlyMap<string, { words: string; icon: Icon; tone?: State['tone'] }>;

export const joinRules: Rules = new Map([
  ['public', { words: /*i18n*/ 'Public', icon: IconWorld, tone: 'info' }],
  ['invite', { words: /*i18n*/ 'Invite only', icon: IconMail }],
  ['knock', { words: /*i18n*/ 'Invite or knock', icon: IconMail }],
  ['restricted', { words: /*i18n*/ 'Restricted (certain rooms) or invite', icon: IconHierarchy }],
  [
    'knock_restricted',
    { words: /*i18n*/ 'Restricted (certain rooms), invite or knock', icon: IconHierarchy },
  ],
  ['private', { words: /*i18n*/ 'No one', icon: IconLock }],
]);

export const historyVisibilities: Rules = new Map([
  ['world_readable', { words: /*i18n*/ 'Anyone, without joining', icon: IconWorld, tone: 'info' }],
  ['shared', { words: /*i18n*/ 'Members only', icon: IconUsers }],
  ['invited', { words: /*i18n*/ 'Members only (since invited)', icon: IconMail }],
  ['joined', { words: /*i18n*/ 'Members only (since joined)', icon: IconLogin2 }],
]);

/** Describes a rule; unknown ones as they are. */
export function describeRule(rules: Rules, rule: string | null | undefined) {
  if (!rule) return undefined;
  const known = rules.get(rule);
  return known === undefined ? <QuotedText text={rule} /> : i18n.t(known.words);
}

/** Renders a rule in a table. */
export function RuleMark({ rules, rule }: { rules: Rules; rule: string | null | undefined }) {
  const known = rule ? rules.get(rule) : undefined;
  if (!known) return describeRule(rules, rule);
  const words = i18n.t(known.words);
  return <StateMark words={words} icon={known.icon} tone={known.tone ?? 'neutral'} when={words} />;
}
