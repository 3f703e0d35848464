import { i18n } from '@lingui/core';
import { useTeam } from '../team/use-team.ts';
import classes from './ActionPanel.module.css';
import { type Item, reportKindOf } from './subject.ts';

/** Of reports that are about to be deleted, how many are escalated and how many have notes. */
export function ReportsAtStake({ items }: { items: readonly Item[] }) {
  const { marksOf, entries } = useTeam();
  const reports = items.filter((item) => item.kind === 'filed');
  const noted = new Set(
    entries.flatMap((entry) =>
      entry.type === 'note' && 'id' in entry.subject ? `${entry.subject.kind} ${entry.subject.id}` : [],
    ),
  );
  const escalated = reports.filter(
    (report) => marksOf[reportKindOf(report)].get(report.reportId)?.state === 'escalated',
  ).length;
  const withNotes = reports.filter((report) =>
    noted.has(`${reportKindOf(report)} ${report.reportId}`),
  ).length;
  if (escalated + withNotes === 0) return null;
  return (
    <p className={classes.warning}>
      {reports.length === 1
        ? [
            escalated > 0 && i18n.t('This report is escalated.'),
            withNotes > 0 && i18n.t('This report has notes.'),
          ]
            .filter(Boolean)
            .join(' ')
        : i18n.t('{escalated} escalated, {withNotes} with notes', { escalated, withNotes })}
    </p>
  );
}
