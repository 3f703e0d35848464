import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { backgroundUpdatesQuery, hasPendingUpdates } from '../../api/background-updates.ts';
import { isExpected } from '../../api/lenient.ts';
import { taskCountsQuery } from '../../api/scheduled-tasks.ts';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { truncate } from '../../words/clip.ts';
import { list, number } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard, Verdict } from './HomeCard.tsx';

/** Shows the numbers of failed, overdue and running tasks. */
export function TasksCard() {
  const query = useQuery(taskCountsQuery(useServer()));
  const title = i18n.t('Tasks');
  return (
    <HomeCard
      title={title}
      link={
        <Link to="/tasks" search={({ server }) => ({ server })} className={classes.way}>
          {title}
        </Link>
      }
    >
      <Loaded
        query={query}
        loading={i18n.t('Loading tasks…')}
        notFound={i18n.t('Tasks not available')}
        lines={2}
      >
        {({ failed, active, overdue, overdueBefore }) => (
          <>
            <Verdict tone={failed > 0 ? 'grave' : overdue > 0 ? 'look' : 'good'}>
              {failed === 0 && overdue === 0
                ? i18n.t('None failed or overdue')
                : failed > 0
                  ? i18n.t('Failed tasks: {shown}', { shown: number(failed) })
                  : i18n.t('Overdue tasks: {shown}', { shown: number(overdue) })}
            </Verdict>
            <ul className={classes.lines}>
              <li>
                <Link
                  to="/tasks"
                  search={({ server }) => ({ server, status: ['failed' as const] })}
                  className={classes.inline}
                >
                  {i18n.t('Failed')}
                </Link>
                <span className={classes.count}>{number(failed)}</span>
              </li>
              <li>
                <Link
                  to="/tasks"
                  search={({ server }) => ({ server, status: ['scheduled' as const], before: overdueBefore })}
                  className={classes.inline}
                >
                  {i18n.t('Overdue')}
                </Link>
                <span className={classes.count}>{number(overdue)}</span>
              </li>
              <li>
                <Link
                  to="/tasks"
                  search={({ server }) => ({ server, status: ['active' as const] })}
                  className={classes.inline}
                >
                  {i18n.t('Running')}
                </Link>
                <span className={classes.count}>{number(active)}</span>
              </li>
            </ul>
          </>
        )}
      </Loaded>
    </HomeCard>
  );
}

/** Shows pending background updates. */
export function BackgroundCard() {
  const query = useQuery(backgroundUpdatesQuery(useServer()));
  const title = i18n.t('Background updates');
  return (
    <HomeCard
      title={title}
      link={
        <Link to="/tasks/background-updates" search={({ server }) => ({ server })} className={classes.way}>
          {title}
        </Link>
      }
    >
      <Loaded
        query={query}
        loading={i18n.t('Loading background updates…')}
        notFound={i18n.t('Not available on this server')}
      >
        {(status) => {
          const names = Object.entries(status.current_updates).map(([database, update]) =>
            truncate(isExpected(update) ? update.name : database, 100),
          );
          if (status.enabled === false) {
            return (
              <Verdict tone="grave">
                {hasPendingUpdates(status)
                  ? i18n.t('Paused with pending updates: {names}', { names: list(names) })
                  : i18n.t('Paused, no updates pending')}
              </Verdict>
            );
          }
          return hasPendingUpdates(status) ? (
            <Verdict tone="look">
              {i18n.t('Running: {names}. Wait before upgrading.', { names: list(names) })}
            </Verdict>
          ) : (
            <Verdict tone="good">{i18n.t('No updates pending')}</Verdict>
          );
        }}
      </Loaded>
    </HomeCard>
  );
}
