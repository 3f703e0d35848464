import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { eventReportTotalQuery } from '../../api/event-reports.ts';
import type { Offered } from '../../api/offered.ts';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { useUnreviewed, useUnreviewedFiled } from '../../team/unreviewed.ts';
import { number } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard } from './HomeCard.tsx';

/** What waits for moderators. */
export function ReportsCard({ offered }: { offered: Offered | undefined }) {
  const server = useServer();
  const unreviewed = useUnreviewed(server);
  const total = useQuery(eventReportTotalQuery(server, {}));
  const title = i18n.t('Reports waiting');
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
      <Loaded
        query={total}
        loading={i18n.t('Counting the reports…')}
        gone={i18n.t('The server has no reports.')}
      >
        {(all) => (
          <>
            <p className={classes.figure}>
              {unreviewed === undefined ? '–' : number(unreviewed)}{' '}
              <span className={classes.unit}>
                {i18n.t(
                  'of {total, plural, one {one report on an event} other {{shown} reports on events}}',
                  {
                    total: all.total,
                    shown: number(all.total),
                  },
                )}
              </span>
            </p>
            <ul className={classes.lines}>
              {offered?.has('userReports') && <OtherReports kind="user" />}
              {offered?.has('roomReports') && <OtherReports kind="room" />}
            </ul>
          </>
        )}
      </Loaded>
    </HomeCard>
  );
}

function OtherReports({ kind }: { kind: 'user' | 'room' }) {
  const server = useServer();
  const unreviewed = useUnreviewedFiled(server)[kind];
  return (
    <li>
      <Link
        to={kind === 'user' ? '/reports/users' : '/reports/rooms'}
        search={(now) => ({ server: now.server })}
        className={classes.inline}
      >
        {kind === 'user' ? i18n.t('Reports on users') : i18n.t('Reports on rooms')}
      </Link>
      {unreviewed !== undefined && <span className={classes.count}>{number(unreviewed)}</span>}
    </li>
  );
}
