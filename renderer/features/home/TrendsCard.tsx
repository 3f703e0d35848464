import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { eventReportTotalQuery } from '../../api/reports/event-reports.ts';
import { taskCountsQuery } from '../../api/scheduled-tasks.ts';
import type { Bin } from '../../components/plot/day-bins.ts';
import { TimePlot } from '../../components/plot/TimePlot.tsx';
import { useServer } from '../../console-context.ts';
import { byteSize, number, shortDay } from '../../words/format.ts';
import { accountsQuery, addedPerDay, type Figures, useEarlierFigures } from './figures.ts';
import classes from './Home.module.css';
import { HomeCard } from './HomeCard.tsx';

/** With fewer days, a plot is meaningless. */
const minDays = 2;
const maxDays = 60;

type Total = 'users' | 'reports' | 'failed_tasks' | 'active_users' | 'media_bytes';

/** Shows accounts, reports, failed tasks, active users and media by day, from the first day on that a console was open. */
export function TrendsCard() {
  const server = useServer();
  const earlier = useEarlierFigures();
  const accounts = useQuery({ ...accountsQuery(server), enabled: false });
  const reports = useQuery({ ...eventReportTotalQuery(server, {}), enabled: false });
  const tasks = useQuery({ ...taskCountsQuery(server), enabled: false });
  const now = {
    users: accounts.data,
    reports: reports.data?.total,
    failedTasks: tasks.data?.failed,
  };
  const plots = [
    { title: i18n.t('New accounts per day'), bins: addedPerDay(totalsOf(earlier, 'users', now.users)) },
    {
      title: i18n.t('New event reports per day'),
      bins: addedPerDay(totalsOf(earlier, 'reports', now.reports)),
    },
    {
      title: i18n.t('Failed tasks by day'),
      bins: totalsOf(earlier, 'failed_tasks', now.failedTasks).map(asBin),
    },
    {
      title: i18n.t('Active users by day'),
      bins: totalsOf(earlier, 'active_users', undefined).map(asBin),
    },
    {
      title: i18n.t('Local media by day'),
      bins: totalsOf(earlier, 'media_bytes', undefined).map(asBin),
      format: byteSize,
    },
  ].filter(({ bins }) => bins.length >= minDays);
  if (plots.length === 0) return null;
  return (
    <HomeCard isWide title={i18n.t('Trends')}>
      <div className={classes.plots}>
        {plots.map(({ title, bins, format = number }) => (
          <div key={title}>
            <p className={classes.plotTitle}>{title}</p>
            <TimePlot
              title={title}
              bins={bins.slice(-maxDays)}
              labelOf={({ from, count }: Bin) =>
                i18n.t('{day}: {count}', { day: shortDay(new Date(from)), count: format(count) })
              }
              formatCount={format}
            />
          </div>
        ))}
      </div>
    </HomeCard>
  );
}

const asBin = ({ at, total }: { at: number; total: number }): Bin => ({ from: at, to: at, count: total });

const totalsOf = (earlier: readonly Figures[], name: Total, now: number | undefined) => [
  ...earlier.flatMap(({ at, [name]: total }) => (total === undefined ? [] : [{ at, total }])),
  ...(now === undefined ? [] : [{ at: Date.now(), total: now }]),
];
