import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { eventReportTotalQuery } from '../../api/reports/event-reports.ts';
import { filedTotalsQuery } from '../../api/reports/filed-reports.ts';
import type { Offered } from '../../api/supported-endpoints.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import type { Tone } from '../../components/State.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { ReportLink } from '../../team/DeletedReports.tsx';
import { useOldestOpen } from '../../team/oldest-open.ts';
import { usePendingCounts, useReportCounts } from '../../team/open-counts.ts';
import { truncate } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import { useListedCount } from './figures.ts';
import classes from './Home.module.css';
import { HomeCard, isUnsupported, type StatusCard, toneOf, Verdict } from './HomeCard.tsx';

/** A report that is open for longer is late, in milliseconds. */
const lateAfterMs = 3 * 86_400_000;

/** Shows the numbers of open reports and the age of the oldest. */
export function useReportsCard(offered: Offered | undefined): StatusCard | undefined {
  const server = useServer();
  const waiting = usePendingCounts(server);
  const counts = useReportCounts(server);
  const oldest = useOldestOpen(server)[0]?.at;
  const { data: totals } = useQuery({ ...filedTotalsQuery(server), enabled: false });
  const total = useQuery(eventReportTotalQuery(server, {}));
  if (isUnsupported(total)) return undefined;
  const isLate = oldest !== undefined && oldest < Date.now() - lateAfterMs;
  const open = waiting && waiting.unreviewed + waiting.escalated;
  const tone = toneOf(total, (): Tone => {
    if (isLate || (waiting && waiting.escalated > 0)) return 'warning';
    return open === 0 ? 'success' : 'neutral';
  });
  const card = (
    <HomeCard
      key="reports"
      title={i18n.t('Open reports')}
      tone={tone}
      link={{ to: '/reports', search: { queue: 'unreviewed' } }}
    >
      <Loaded
        query={total}
        loading={i18n.t('Loading reports…')}
        notFound={i18n.t('Reports not available')}
        lines={1}
      >
        {(all) => {
          const count = all.total + (totals?.user?.total ?? 0) + (totals?.room?.total ?? 0);
          return (
            <>
              <p className={classes.figure}>
                {open === undefined ? '–' : number(open)}{' '}
                <span className={classes.unit}>{i18n.t('of {count} total', { count: number(count) })}</span>
              </p>
              {oldest !== undefined && (
                <Verdict tone={isLate ? 'warning' : 'neutral'}>
                  <Trans id="Oldest: <0/>" components={{ 0: <RelativeTime timestamp={oldest} long /> }} />
                </Verdict>
              )}
              <ul className={classes.lines}>
                <ReportCount name={i18n.t('Event reports')} path="/reports" counts={counts.report} />
                {offered?.has('userReports') && (
                  <ReportCount
                    name={i18n.t('User reports')}
                    path="/reports/users"
                    counts={counts.user_report}
                  />
                )}
                {offered?.has('roomReports') && (
                  <ReportCount
                    name={i18n.t('Room reports')}
                    path="/reports/rooms"
                    counts={counts.room_report}
                  />
                )}
              </ul>
            </>
          );
        }}
      </Loaded>
    </HomeCard>
  );
  return { tone, card };
}

/** Lists the oldest open reports. */
export function OldestReportsCard() {
  const count = useListedCount();
  const reports = useOldestOpen(useServer()).slice(0, count);
  if (reports.length === 0) return null;
  return (
    <HomeCard
      title={i18n.t('Oldest open reports')}
      link={{ to: '/reports', search: { queue: 'unreviewed', order: 'oldest' } }}
    >
      <ul className={classes.entries}>
        {reports.map(({ of, id, at, reason }) => (
          <li key={`${of} ${id}`} title={truncate(reason ?? '', 1000)}>
            <ReportLink kind={of} id={id} className={classes.entry}>
              <HazardText text={truncate(reason?.trim() ?? '', 200) || i18n.t('No reason given')} />
            </ReportLink>
            <RelativeTime timestamp={at} />
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}

type ReportCountProps = {
  name: string;
  path: '/reports' | '/reports/users' | '/reports/rooms';
  counts: ReturnType<typeof useReportCounts>['report'];
};

function ReportCount({ name, path, counts: { pending, escalated } }: ReportCountProps) {
  return (
    <li>
      <Link to={path} className={classes.inline}>
        {name}
      </Link>
      {pending !== undefined && <span className={classes.count}>{number(pending)}</span>}{' '}
      {escalated > 0 && (
        <Link to={path} search={{ queue: 'escalated' }} className={classes.urgent}>
          {i18n.t('{count} escalated', { count: number(escalated) })}
        </Link>
      )}
    </li>
  );
}
