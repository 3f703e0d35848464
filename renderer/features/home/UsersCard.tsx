import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { newestUsersQuery, type UserListItem } from '../../api/user-list.ts';
import { TimePlot } from '../../components/plot/TimePlot.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { UserLink } from '../../subjects/UserCell.tsx';
import { number, shortDay } from '../../words/format.ts';
import { accountsQuery, useEarlierFigures, useListedCount } from './figures.ts';
import { type Growth, growthOf } from './growth.ts';
import classes from './Home.module.css';
import { HomeCard, isUnsupported, Verdict } from './HomeCard.tsx';
import { LoadOnClick } from './LoadOnClick.tsx';
import { Total } from './Total.tsx';

/** The total includes deactivated and locked accounts. */
const newestFirst = { deactivated: true, locked: true, order: 'creation_ts', dir: 'b' } as const;

/** Shows the number of accounts and how fast it grows. */
export function UsersCard() {
  const server = useServer();
  const query = useQuery(accountsQuery(server));
  const newest = useQuery({ ...newestUsersQuery(server), enabled: false });
  const earlier = useEarlierFigures();
  if (isUnsupported(query)) return null;
  const growth = newest.data && growthOf(newest.data.created, newest.data.isAll, Date.now());
  return (
    <HomeCard title={i18n.t('Users')} tone={growth?.isUnusual ? 'danger' : undefined} link={{ to: '/users' }}>
      <Loaded
        query={query}
        loading={i18n.t('Loading users…')}
        notFound={i18n.t('User list not available')}
        lines={8}
      >
        {(total) => (
          <>
            <Total
              total={total}
              unit={i18n.t('{total, plural, one {account} other {accounts}}', { total })}
              earlier={earlier.flatMap(({ at, users }) => (users === undefined ? [] : { at, total: users }))}
            />
            <LoadOnClick
              name="users"
              accounts={total}
              costNote={i18n.t('Sign-ups per day. Scans all users.')}
            >
              <NewUsers />
            </LoadOnClick>
          </>
        )}
      </Loaded>
    </HomeCard>
  );
}

function NewUsers() {
  const query = useQuery(newestUsersQuery(useServer()));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading newest accounts…')}
      notFound={i18n.t('User list not available')}
      lines={5}
    >
      {({ newest, created, isAll }) => (
        <>
          <SignUps {...growthOf(created, isAll, Date.now())} />
          <Newest users={newest} />
        </>
      )}
    </Loaded>
  );
}

/** Half as many as in the other cards: the plot above takes the space of the rest. */
function Newest({ users }: { users: readonly UserListItem[] }) {
  const count = Math.ceil(useListedCount() / 2);
  return (
    <>
      <p className={classes.dim}>
        <Link to="/users" search={{ ...newestFirst }} className={classes.inline}>
          {i18n.t('Newest accounts')}
        </Link>
      </p>
      <ul className={classes.entries}>
        {users.slice(0, count).map(({ name: userId, displayname, creation_ts: at }) => (
          <li key={userId}>
            <UserLink userId={userId} name={displayname} />
            {typeof at === 'number' && <RelativeTime timestamp={at} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function SignUps({ bins, cutDay, lastDay, atLeast, isUnusual }: Growth) {
  const navigate = useNavigate();
  const cutCount = bins.find(({ from }) => from === cutDay)?.count;
  return (
    <>
      <Verdict tone={isUnusual ? 'danger' : 'neutral'}>
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
      {/* A single day isn't a trend, and the text above says the same. */}
      {bins.length > 1 && (
        <TimePlot
          title={i18n.t('New accounts per day')}
          bins={bins}
          labelOf={({ from, count }) => {
            const day = shortDay(new Date(from));
            return from === cutDay
              ? i18n.t('{day}: over {count} new', { day, count })
              : i18n.t('{day}: {count} new', { day, count });
          }}
          formatCount={(count) => (count === cutCount ? `${number(count)}+` : number(count))}
          onChoose={() => navigate({ to: '/users', search: { ...newestFirst } })}
        />
      )}
    </>
  );
}
