import { i18n } from '@lingui/core';
import type { ReactNode } from 'react';
import { actionLabel } from '../../actions/action-words.ts';
import { ScheduledList, useScheduled } from '../../actions/scheduled/ScheduledList.tsx';
import { RecentActivity, useRecentActivity } from '../../team/RecentActivity.tsx';
import { useListedCount } from './figures.ts';
import { HomeCard } from './HomeCard.tsx';

const maxScheduled = 50;

/** Shows the team's scheduled actions, and its latest actions, if there are any. */
export function TeamCards() {
  const scheduled = useScheduled();
  const entries = useRecentActivity(useListedCount());
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
