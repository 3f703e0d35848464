import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { eventReportTotalQuery } from '../../api/event-reports.ts';
import { filedTotalsQuery } from '../../api/filed-reports.ts';
import type { Offered } from '../../api/offered.ts';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { useEscalated, useUnreviewed, useUnreviewedFiled, useWaiting } from '../../team/unreviewed.ts';
import { number } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard } from './HomeCard.tsx';

/** Shows the numbers of pending reports. */
export function ReportsCard({ offered }: { offered: Offered | undefined }) {
  const server = useServer();
  const waiting = useWaiting(server);
  const escalated = useEscalated(server);
  const onEvents = useUnreviewed(server);
  const filed = useUnreviewedFiled(server);
  const { data: totals } = useQuery({ ...filedTotalsQuery(server), enabled: false });
  const total = useQuery(eventReportTotalQuery(server, {}));
  const title = i18n.t('Pending reports');
  return (
    <HomeCard
      title={title}
      link={
        <Link
          to="/reports"
          search={(now) => ({ server: now.server, queue: 'unreviewed' })}
          className={classes.way}
        >
          {title}
        </Link>
      }
    >
      <Loaded query={total} loading={i18n.t('Loading reports…')} notFound={i18n.t('Reports not available')}>
        {(all) => {
          const count = all.total + (totals?.user?.total ?? 0) + (totals?.room?.total ?? 0);
          return (
            <>
              <p className={classes.figure}>
                {waiting === undefined ? '–' : number(waiting.unreviewed + waiting.escalated)}{' '}
                <span className={classes.unit}>{i18n.t('of {count} total', { count: number(count) })}</span>
              </p>
              <ul className={classes.lines}>
                <ReportCount
                  name={i18n.t('Event reports')}
                  path="/reports"
                  unreviewed={onEvents}
                  escalated={escalated.event}
                />
                {offered?.has('userReports') && (
                  <ReportCount
                    name={i18n.t('User reports')}
                    path="/reports/users"
                    unreviewed={filed.user}
                    escalated={escalated.user}
                  />
                )}
                {offered?.has('roomReports') && (
                  <ReportCount
                    name={i18n.t('Room reports')}
                    path="/reports/rooms"
                    unreviewed={filed.room}
                    escalated={escalated.room}
                  />
                )}
              </ul>
            </>
          );
        }}
      </Loaded>
    </HomeCard>
  );
}

type ReportCountProps = {
  name: string;
  path: '/reports' | '/reports/users' | '/reports/rooms';
  unreviewed: number | undefined;
  escalated: number;
};

function ReportCount({ name, path, unreviewed, escalated }: ReportCountProps) {
  return (
    <li>
      <Link to={path} search={(now) => ({ server: now.server })} className={classes.inline}>
        {name}
      </Link>
      {unreviewed !== undefined && <span className={classes.count}>{number(unreviewed + escalated)}</span>}{' '}
      {escalated > 0 && (
        <Link
          to={path}
          search={(now) => ({ server: now.server, queue: 'escalated' as const })}
          className={classes.inline}
        >
          {i18n.t('{count} escalated', { count: number(escalated) })}
        </Link>
      )}
    </li>
  );
}
