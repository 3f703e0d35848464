import { i18n } from '@lingui/core';
import type { CaseChange, Severity } from '../../shared/team/entries.ts';
import { ellipsize } from '../words/clip.ts';
import { mediumTimeFormat } from '../words/format.ts';

export function severityName(severity: Severity): string {
  switch (severity) {
    case 'low':
      return i18n.t('Low');
    case 'medium':
      return i18n.t('Medium');
    case 'high':
      return i18n.t('High');
    case 'urgent':
      return i18n.t('Urgent');
  }
}

const timeOf = (timestamp: number) => mediumTimeFormat().format(new Date(timestamp));

/** Moderators are local users. Isolated: another tool may have written anything. */
const moderatorName = (userId: string) => `\u2068${ellipsize(userId.split(':', 1)[0] ?? '', 60)}\u2069`;

/** Describes a decision about a case. */
export function caseChangeSentence(change: CaseChange): string {
  const { assignee, severity, snoozedUntil, quietUntil, reporterMutedUntil, watchedUntil } = change;
  const parts = [
    assignee && i18n.t('assigned this to {name}', { name: moderatorName(assignee) }),
    assignee === null && i18n.t('unassigned this'),
    severity && i18n.t('set severity to {severity}', { severity: severityName(severity).toLowerCase() }),
    severity === null && i18n.t('removed the severity'),
    snoozedUntil && i18n.t('snoozed this until {time}', { time: timeOf(snoozedUntil) }),
    snoozedUntil === null && i18n.t('ended the snooze'),
    quietUntil && i18n.t('quieted this until {time}', { time: timeOf(quietUntil) }),
    quietUntil === null && i18n.t('ended the quiet period'),
    reporterMutedUntil &&
      i18n.t('muted the reports of this user until {time}', { time: timeOf(reporterMutedUntil) }),
    reporterMutedUntil === null && i18n.t('unmuted the reports of this user'),
    watchedUntil && i18n.t('put this on the watch list until {time}', { time: timeOf(watchedUntil) }),
    watchedUntil === null && i18n.t('removed this from the watch list'),
  ];
  return parts.filter(Boolean).join(', ');
}
