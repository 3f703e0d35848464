import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { newestUsersQuery } from '../../api/user-list.ts';
import type { Bin } from '../../components/plot/day-bins.ts';
import { TimePlot } from '../../components/plot/TimePlot.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { number, shortDay } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard, Verdict } from './HomeCard.tsx';
import { LoadOnClick } from './LoadOnClick.tsx';

const hour = 3_600_000;
const day = 24 * hour;
const daysShown = 30;

/** Fewer new accounts in a day are never unusual. */
const minUnusual = 10;
const unusualFactor = 4;
/** With fewer days of history, growth is normal: the server is being set up. */
const minHistoryDays = 3;

type Growth = {
  /** One bin per day of the local calendar, oldest first. */
  bins: Bin[];
  lastDay: number;
  /** Whether the last day had more than these, which are all within it. */
  atLeast: boolean;
  isUnusual: boolean;
};

/**
 * Counts new accounts per day and compares the last 24 hours with the days before.
 *
 * @param created creation times in milliseconds, newest first
 * @param isAll whether there are no older accounts
 */
function growthOf(made: readonly number[], isAll: boolean, now: number): Growth {
  const oldest = made.at(-1) ?? now;
  const coveredMs = isAll ? daysShown * day : Math.min(daysShown * day, now - oldest);
  const bins = dayBins(now, coveredMs).map((bin) => ({
    ...bin,
    count: made.filter((at) => at >= bin.from && at < bin.to).length,
  }));
  const lastDay = made.filter((at) => at > now - day).length;
  const historyMs = Math.min(daysShown * day, now - oldest);
  const before = made.filter((at) => at <= now - day && at >= now - historyMs).length;
  const historyDays = historyMs / day - 1;
  const atLeast = !isAll && historyDays < 0;
  const isNewServer = isAll && historyDays < minHistoryDays;
  const averagePerDay = before / Math.max(1, historyDays);
  return {
    bins,
    lastDay,
    atLeast,
    isUnusual: atLeast || (!isNewServer && lastDay >= minUnusual && lastDay > averagePerDay * unusualFactor),
  };
}

/** Returns empty bins for the covered days, today last. */
function dayBins(now: number, coveredMs: number): Bin[] {
  const today = new Date(now);
  const start = (back: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - back).getTime();
  const days = Math.min(daysShown, Math.max(1, Math.floor(coveredMs / day) + 1));
  return Array.from({ length: days }, (_, index) => {
    const back = days - 1 - index;
    return { from: start(back), to: start(back - 1), count: 0 };
  });
}

/** The total includes deactivated and locked accounts. */
const newestFirst = { deactivated: true, locked: true, order: 'creation_ts', dir: 'b' } as const;

/** Shows the number of accounts and how fast it grows. */
export function UsersCard() {
  const title = i18n.t('Users');
  return (
    <HomeCard
      tall
      title={title}
      link={
        <Link to="/users" search={({ server }) => ({ server, ...newestFirst })} className={classes.way}>
          {title}
        </Link>
      }
    >
      <LoadOnClick name="users" costNote={i18n.t('Loading scans all users.')}>
        <NewUsers />
      </LoadOnClick>
    </HomeCard>
  );
}

function NewUsers() {
  const navigate = useNavigate();
  const query = useQuery(newestUsersQuery(useServer()));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading newest accounts…')}
      notFound={i18n.t('User list not available')}
      lines={6}
    >
      {({ total, created, isAll }) => {
        const { bins, lastDay, atLeast, isUnusual } = growthOf(created, isAll, Date.now());
        return (
          <>
            <p className={classes.figure}>
              {number(total)}{' '}
              <span className={classes.unit}>
                {i18n.t('{total, plural, one {account} other {accounts}}', { total })}
              </span>
            </p>
            <Verdict tone={isUnusual ? 'grave' : 'plain'}>
              {atLeast
                ? i18n.t('Created in the last 24 hours: over {count}', {
                    count: number(lastDay),
                  })
                : isUnusual
                  ? i18n.t('Created in the last 24 hours: {count}, far more than before', {
                      count: number(lastDay),
                    })
                  : i18n.t('Created in the last 24 hours: {shown}', { shown: number(lastDay) })}
            </Verdict>
            <TimePlot
              title={i18n.t('New accounts per day')}
              bins={bins}
              labelOf={({ from, count }) =>
                i18n.t('{day}: {count} new', {
                  day: shortDay(new Date(from)),
                  count,
                })
              }
              onChoose={() =>
                navigate({ to: '/users', search: ({ server }) => ({ server, ...newestFirst }) })
              }
            />
          </>
        );
      }}
    </Loaded>
  );
}
