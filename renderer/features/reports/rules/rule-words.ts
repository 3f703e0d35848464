/** Descriptions of rules. */
import { i18n } from '@lingui/core';
import { canSuspend, type Grouping, type Rule } from '../../../../shared/team/rules.ts';
import type { KeyedWordList, WordList } from '../../../../shared/team/word-lists.ts';
import { severityName } from '../../../team/case-words.ts';
import { ruleName } from '../../../team/rule-names.ts';
import { list } from '../../../words/format.ts';

export function groupingName(same: Grouping): string {
  switch (same) {
    case 'case':
      return i18n.t('Person, else room');
    case 'event':
      return i18n.t('Message');
    case 'room':
      return i18n.t('Room');
  }
}

/** Returns a rule's conditions, each in a few words. */
export function conditionTexts({ when }: Pick<Rule, 'when'>, lists: readonly KeyedWordList[]): string[] {
  const { reports = 1, reporters = 1, accurate, same = 'case', hours, words, account_days: days } = when;
  const isSingle = reports === 1 && reporters === 1;
  const on: Record<Grouping, string> = {
    case: i18n.t('on the same person'),
    event: i18n.t('on the same message'),
    room: i18n.t('in the same room'),
  };
  const count = i18n.t('{count, plural, one {# report} other {# reports}}', {
    count: Math.max(reports, reporters),
  });
  const by = i18n.t('by {count, plural, one {# user} other {# users}}', { count: reporters });
  const within =
    hours === undefined
      ? ''
      : i18n.t('within {count, plural, one {# hour} other {# hours}}', { count: hours });
  const found = words?.map((key) => lists.find((list) => list.key === key));
  return [
    isSingle
      ? i18n.t('Each report')
      : [count, reporters > 1 && by, on[same], within].filter(Boolean).join(' '),
    accurate && i18n.t('Accurate reporters only'),
    found && listsText(found),
    days !== undefined &&
      i18n.t('Account younger than {count, plural, one {# day} other {# days}}', { count: days }),
  ].filter((text) => typeof text === 'string');
}

/** Names the kinds of entries in the lists. */
function listsText(found: readonly (KeyedWordList | undefined)[]): string {
  const lists = list(found.map((each) => (each ? ruleName(each) : i18n.t('deleted list'))));
  const known = found.filter((each) => each !== undefined);
  const hasWords = known.some(({ words, domains, files }) => words.length + domains.length > 0 || !files);
  const hasFiles = known.some(({ files = [] }) => files.length > 0) || !hasWords;
  if (known.length === 0 || (hasWords && hasFiles)) return i18n.t('Lists: {lists}', { lists });
  return hasWords ? i18n.t('Words: {lists}', { lists }) : i18n.t('Files: {lists}', { lists });
}

/** Returns a rule's effects, each in a few words. */
export function effectTexts({ when, effects }: Pick<Rule, 'when' | 'effects'>): string[] {
  const { severity, quarantine } = effects;
  return [
    severity && i18n.t('Severity: {severity}', { severity: severityName(severity) }),
    quarantine && i18n.t('Quarantines reported media'),
    canSuspend({ when, effects }) && i18n.t('Suspends the account'),
  ].filter((text) => typeof text === 'string');
}

/** Whether the watcher has to carry out a rule. */
export const needsWatcher = (rule: Pick<Rule, 'when' | 'effects'>): boolean =>
  rule.effects.quarantine === true || canSuspend(rule);

export const watchNote = () =>
  i18n.t(
    'gatehouse watch --team quarantines and suspends, after reports that arrive later than the last change of the rule.',
  );

/** For example `12 words, 3 domains`. */
export function listText({ words, domains, files }: Omit<WordList, 'name'>): string {
  const isEmpty = words.length === 0 && domains.length === 0 && !files?.length;
  return [
    (words.length > 0 || (isEmpty && !files)) &&
      i18n.t('{count, plural, one {# word} other {# words}}', { count: words.length }),
    domains.length > 0 &&
      i18n.t('{count, plural, one {# link domain} other {# link domains}}', { count: domains.length }),
    files &&
      (files.length > 0 || isEmpty) &&
      i18n.t('{count, plural, one {# file} other {# files}}', { count: files.length }),
  ]
    .filter(Boolean)
    .join(', ');
}
