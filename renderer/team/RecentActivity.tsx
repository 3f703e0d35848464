import { i18n } from '@lingui/core';
import type { ActionEntry, TeamEntry } from '../../shared/team/entries.ts';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { ReportLink } from './DeletedReports.tsx';
import { SubjectLink } from './SubjectLink.tsx';
import classes from './Timeline.module.css';
import { describe, Person } from './Timeline.tsx';
import { useTeam } from './use-team.ts';

/** Whether an entry is more than a step of the daily work on reports. */
const isNotable = (entry: TeamEntry) =>
  entry.type !== 'mark' || (entry.state === 'escalated' && entry.seen !== 'reviewed');

/** Returns the team's latest actions, notes and escalations, newest first. */
export function useRecentActivity(count: number): TeamEntry[] {
  const { entries } = useTeam();
  const recent: TeamEntry[] = [];
  for (const entry of entries) {
    if (isNotable(entry)) recent.push(entry);
    if (recent.length === count) break;
  }
  return recent;
}

type Props = { entries: readonly TeamEntry[]; actionLabel: (entry: ActionEntry) => string };

/** Lists entries about different users, rooms and reports. */
export const RecentActivity = ({ entries, actionLabel }: Props) => (
  <ol className={classes.list}>
    {entries.map((entry, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries have no key
      <li className={classes.entry} key={`${entry.at} ${entry.type} ${index}`}>
        <Entry entry={entry} actionLabel={actionLabel} />
      </li>
    ))}
  </ol>
);

function Entry({ entry, actionLabel }: { entry: TeamEntry; actionLabel: Props['actionLabel'] }) {
  const report =
    entry.type === 'mark' ? { kind: entry.of ?? ('report' as const), id: entry.reportId } : undefined;
  const { icon, what } = describe(entry, actionLabel, report);
  const more = entry.type === 'mark' ? 0 : othersOf(entry);
  return (
    <>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <p className={`${classes.body} ${classes.line}`}>
        <Person userId={entry.by} />{' '}
        <span className={classes.what}>{report ? <ReportLink {...report}>{what}</ReportLink> : what}</span>{' '}
        {entry.type !== 'mark' && entry.type !== 'action' && <SubjectLink subject={entry.subject} />}{' '}
        {more > 0 && (
          <span className={classes.what}>
            {i18n.t('and {count, plural, one {# other} other {# others}}', { count: more })}
          </span>
        )}{' '}
        <span className={classes.time}>
          <RelativeTime timestamp={entry.at} long />
        </span>
      </p>
    </>
  );
}

/** Returns how many subjects an entry has besides the first. */
const othersOf = (entry: Exclude<TeamEntry, { type: 'mark' }>) =>
  entry.type === 'case'
    ? 0
    : Math.max(entry.others?.length ?? 0, ('count' in entry ? (entry.count ?? 1) : 1) - 1);
