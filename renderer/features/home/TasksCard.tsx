import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  type BackgroundUpdates,
  backgroundUpdatesQuery,
  hasPendingUpdates,
} from '../../api/background-updates.ts';
import { isExpected } from '../../api/lenient.ts';
import { taskCountsQuery } from '../../api/scheduled-tasks.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import type { Tone } from '../../components/State.tsx';
import { nameAction } from '../../components/task-names.ts';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { truncate } from '../../words/clip.ts';
import { list, number } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard, isUnsupported, type StatusCard, toneOf, Verdict } from './HomeCard.tsx';

/** Shows the numbers of failed, overdue and running tasks. */
export function useTasksCard(): StatusCard | undefined {
  const query = useQuery(taskCountsQuery(useServer()));
  if (isUnsupported(query)) return undefined;
  const tone = toneOf(query, ({ failed, overdue }) =>
    failed > 0 ? 'danger' : overdue > 0 ? 'warning' : 'success',
  );
  const card = (
    <HomeCard key="tasks" title={i18n.t('Tasks')} tone={tone} link={{ to: '/tasks' }}>
      <Loaded
        query={query}
        loading={i18n.t('Loading tasks…')}
        notFound={i18n.t('Tasks not available')}
        lines={1}
      >
        {({ failed, latestFailed, active, overdue, overdueBefore }) => (
          <>
            <Verdict isMain tone={tone ?? 'neutral'}>
              {failed > 0 ? (
                <FailedLink>{i18n.t('{count} failed', { count: number(failed) })}</FailedLink>
              ) : overdue > 0 ? (
                i18n.t('{count} overdue', { count: number(overdue) })
              ) : (
                i18n.t('None failed or overdue')
              )}
            </Verdict>
            {latestFailed.length > 0 && (
              <ul className={classes.entries}>
                {latestFailed.map(({ id, action, timestamp_ms: at }) => (
                  <li key={id}>
                    <Link to="/tasks" search={{ task: id }} className={classes.entry}>
                      {nameAction(action) ?? <HazardText text={truncate(action, 100)} />}
                    </Link>
                    <RelativeTime timestamp={at} />
                  </li>
                ))}
              </ul>
            )}
            <ul className={classes.lines}>
              {failed === 0 && (
                <li>
                  <FailedLink className={classes.inline}>{i18n.t('Failed')}</FailedLink>
                  <span className={classes.count}>{number(failed)}</span>
                </li>
              )}
              <li>
                <Link
                  to="/tasks"
                  search={{ status: ['scheduled'], before: overdueBefore }}
                  className={classes.inline}
                >
                  {i18n.t('Overdue')}
                </Link>
                <span className={classes.count}>{number(overdue)}</span>
              </li>
              <li>
                <Link to="/tasks" search={{ status: ['active'] }} className={classes.inline}>
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
  return { tone, card };
}

const FailedLink = (props: { className?: string | undefined; children: string }) => (
  <Link to="/tasks" search={{ status: ['failed'] }} {...props} />
);

/** Shows pending background updates. */
export function useBackgroundCard(): StatusCard | undefined {
  const query = useQuery(backgroundUpdatesQuery(useServer()));
  if (isUnsupported(query)) return undefined;
  const tone = toneOf(query, toneOfUpdates);
  const card = (
    <HomeCard
      key="background-updates"
      title={i18n.t('Background updates')}
      tone={tone}
      link={{ to: '/tasks/background-updates' }}
    >
      <Loaded
        query={query}
        loading={i18n.t('Loading background updates…')}
        notFound={i18n.t('Not available on this server')}
        lines={1}
      >
        {(status) => {
          const names = Object.entries(status.current_updates).map(([database, update]) =>
            truncate(isExpected(update) ? update.name : database, 100),
          );
          return (
            <>
              <Verdict isMain tone={toneOfUpdates(status)}>
                {status.enabled === false
                  ? i18n.t('Paused')
                  : names.length > 0
                    ? i18n.t('Running')
                    : i18n.t('No updates pending')}
              </Verdict>
              {names.length > 0 ? (
                <p className={classes.dim}>
                  {i18n.t('Pending: {names}. Wait before upgrading.', { names: list(names) })}
                </p>
              ) : (
                status.enabled === false && (
                  <p className={classes.dim}>{i18n.t("New updates won't start until you resume.")}</p>
                )
              )}
            </>
          );
        }}
      </Loaded>
    </HomeCard>
  );
  return { tone, card };
}

function toneOfUpdates(status: BackgroundUpdates): Tone {
  if (status.enabled === false) return 'danger';
  return hasPendingUpdates(status) ? 'warning' : 'success';
}
