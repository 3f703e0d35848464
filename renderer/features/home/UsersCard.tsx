import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { newestUsersQuery } from '../../api/newest-users.ts';
import { TimePlot } from '../../components/plot/TimePlot.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { number, shortDay } from '../../words/format.ts';
import { AskFirst } from './AskFirst.tsx';
import { growthOf } from './growth.ts';
import classes from './Home.module.css';
import { HomeCard, Verdict } from './HomeCard.tsx';

/** As they are counted: also those who can't sign in any more. */
const newestFirst = { deactivated: true, locked: true, order: 'creation_ts', dir: 'b' } as const;

/** How many accounts there are, and whether they come faster than they use to. */
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
      <AskFirst what="users" why={i18n.t('Loading scans all users.')}>
        <NewUsers />
      </AskFirst>
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
      gone={i18n.t('User list not available')}
      lines={6}
    >
      {({ total, made, isAll }) => {
        const { bins, lastDay, atLeast, unusual } = growthOf(made, isAll, Date.now());
        return (
          <>
            <p className={classes.figure}>
              {number(total)}{' '}
              <span className={classes.unit}>
                {i18n.t('{total, plural, one {account} other {accounts}}', { total })}
              </span>
            </p>
            <Verdict tone={unusual ? 'grave' : 'plain'}>
              {atLeast
                ? i18n.t('Created in the last 24 hours: over {count}', {
                    count: number(lastDay),
                  })
                : unusual
                  ? i18n.t('Created in the last 24 hours: {count}, far more than before', {
                      count: number(lastDay),
                    })
                  : i18n.t('Created in the last 24 hours: {shown}', {
                      lastDay,
                      shown: number(lastDay),
                    })}
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
