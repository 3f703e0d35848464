import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { backgroundUpdatesQuery, isAtWork } from '../../api/background-updates.ts';
import { isExpected } from '../../api/lenient.ts';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { beginning } from '../../words/beginning.ts';
import { list } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard, Verdict } from './HomeCard.tsx';

/** Whether the server is done with its last upgrade. */
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
        gone={i18n.t('Not available on this server')}
      >
        {(status) => {
          const names = Object.entries(status.current_updates).map(([database, update]) =>
            beginning(isExpected(update) ? update.name : database, 100),
          );
          if (status.enabled === false) {
            return (
              <Verdict tone="grave">
                {isAtWork(status)
                  ? i18n.t('Paused with pending updates: {names}', { names: list(names) })
                  : i18n.t('Paused, no updates pending')}
              </Verdict>
            );
          }
          return isAtWork(status) ? (
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
