/** Descriptions of policies and strikes. */
import { i18n } from '@lingui/core';
import type { LadderStep, Policy } from '../../shared/team/policies.ts';
import { type ActiveStrike, totalWeight } from '../../shared/team/strikes.ts';
import { shortDay } from '../words/format.ts';

/** Names the actions of a ladder, without loading them. */
export function ladderActionName(action: string): string {
  switch (action) {
    case 'warn-user':
      return i18n.t('Warn');
    case 'suspend-user':
      return i18n.t('Suspend');
    case 'lock-user':
      return i18n.t('Lock');
    case 'take-down-user':
      return i18n.t('Take down');
    case 'deactivate-user':
      return i18n.t('Deactivate');
    default:
      return action;
  }
}

/** For example `Suspend for 7 days`. */
export const stepText = ({ action, days }: LadderStep): string =>
  days === undefined
    ? ladderActionName(action)
    : i18n.t('{action} for {count, plural, one {# day} other {# days}}', {
        action: ladderActionName(action),
        count: days,
      });

/** For example `1 strike: Warn`. */
export const rungText = (step: LadderStep): string =>
  i18n.t('{count, plural, one {# strike} other {# strikes}}: {step}', {
    count: step.strikes,
    step: stepText(step),
  });

/** For example `2 strikes, expire after 90 days`. */
export function weightText({ weight, expires_days: days }: Policy): string {
  if (weight === 0) return i18n.t('No strikes');
  return days === null
    ? i18n.t('{count, plural, one {# strike} other {# strikes}}, no expiry', { count: weight })
    : i18n.t(
        '{count, plural, one {# strike, expires} other {# strikes, expire}} after {days, plural, one {# day} other {# days}}',
        { count: weight, days },
      );
}

/** For example `2 strikes, next expires Dec 3, 2026`; empty without strikes. */
export function strikesText(strikes: readonly ActiveStrike[]): string {
  if (strikes.length === 0) return '';
  const count = totalWeight(strikes);
  const next = strikes[0]?.until;
  if (next === null || next === undefined)
    return i18n.t('{count, plural, one {# strike} other {# strikes}}, no expiry', { count });
  const day = shortDay(new Date(next));
  return strikes.length === 1
    ? i18n.t('{count, plural, one {# strike, expires} other {# strikes, expire}} {day}', { count, day })
    : i18n.t('{count, plural, one {# strike} other {# strikes}}, next expires {day}', { count, day });
}
