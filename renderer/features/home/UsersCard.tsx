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
      <AskFirst
        what="users"
        why={i18n.t('For the newest accounts this server reads its whole table of users.')}
      >
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
      loading={i18n.t('Asking for the newest accounts…')}
      gone={i18n.t('The server lists no users.')}
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
                ? i18n.t('More than {count} of them were made in the last 24 hours.', {
                    count: number(lastDay),
                  })
                : unusual
                  ? i18n.t(
                      '{count} of them were made in the last 24 hours: far more than on the days before.',
                      {
                        count: number(lastDay),
                      },
                    )
                  : i18n.t(
                      '{lastDay, plural, =0 {None was} one {One was} other {{shown} were}} made in the last 24 hours.',
                      {
                        lastDay,
                        shown: number(lastDay),
                      },
                    )}
            </Verdict>
            <TimePlot
              title={i18n.t('New accounts a day')}
              bins={bins}
              labelOf={({ from, count }) =>
                i18n.t('{day}: {count, plural, one {# new account} other {# new accounts}}', {
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
