import { i18n } from '@lingui/core';
import type { ReactNode } from 'react';
import { caseKey, watchList } from '../../../shared/team/cases.ts';
import { actionLabel } from '../../actions/action-words.ts';
import { ScheduledList, useScheduled } from '../../actions/scheduled/ScheduledList.tsx';
import { RecentActivity, useRecentActivity } from '../../team/RecentActivity.tsx';
import { SubjectLink } from '../../team/SubjectLink.tsx';
import { useTeamValue } from '../../team/use-team.ts';
import { mediumTimeFormat } from '../../words/format.ts';
import { useListedCount } from './figures.ts';
import classes from './Home.module.css';
import { HomeCard } from './HomeCard.tsx';

const maxScheduled = 50;
const maxWatched = 50;
/** A watch that has ended stays listed for as long. */
const remindedMs = 7 * 86_400_000;

/** Shows the team's scheduled actions, its watch list, and its latest actions, if there are any. */
export function TeamCards() {
  const scheduled = useScheduled();
  const entries = useRecentActivity(useListedCount());
  const cases = useTeamValue((team) => team.cases);
  const watched = watchList(cases, Date.now() - remindedMs);
  return (
    <>
      {scheduled.length > 0 && (
        <LogCard title={i18n.t('Scheduled actions')}>
          <ScheduledList scheduled={scheduled.slice(0, maxScheduled)} withSubjects />
          {scheduled.length > maxScheduled && (
            <p>{i18n.t('{count} more', { count: scheduled.length - maxScheduled })}</p>
          )}
        </LogCard>
      )}
      {watched.length > 0 && (
        <HomeCard title={i18n.t('Watched users and rooms')}>
          <ul className={classes.entries}>
            {watched.slice(0, maxWatched).map(({ subject, until }) => (
              <li key={caseKey(subject)}>
                <SubjectLink subject={subject} />
                <time dateTime={new Date(until).toISOString()}>
                  {until > Date.now()
                    ? i18n.t('until {time}', { time: mediumTimeFormat().format(until) })
                    : i18n.t('ended {time}', { time: mediumTimeFormat().format(until) })}
                </time>
              </li>
            ))}
          </ul>
          {watched.length > maxWatched && (
            <p>{i18n.t('{count} more', { count: watched.length - maxWatched })}</p>
          )}
        </HomeCard>
      )}
      {entries.length > 0 && (
        <LogCard title={i18n.t('Recent activity')}>
          <RecentActivity entries={entries} actionLabel={actionLabel} />
        </LogCard>
      )}
    </>
  );
}

/** Its title links to the log. */
const LogCard = ({ title, children }: { title: string; children: ReactNode }) => (
  <HomeCard title={title} link={{ to: '/reports/log' }}>
    {children}
  </HomeCard>
);
