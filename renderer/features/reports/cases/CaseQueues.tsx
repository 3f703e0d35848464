import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconClockExclamation, IconUser } from '@tabler/icons-react';
import { HazardText } from '../../../components/HazardText.tsx';
import { useServer } from '../../../console-context.ts';
import { list, number } from '../../../words/format.ts';
import tabClasses from '../desk/QueueTabs.module.css';
import classes from './Cases.module.css';
import { queueNames } from './case-names.ts';
import { type CaseQueue, caseQueues, type TeamQueue } from './case-search.ts';

type TeamQueueCounts = TeamQueue & { count: number; overdue: number };

type Props = {
  queue: CaseQueue;
  counts: Record<CaseQueue, number>;
  /** Key of the team's queue that is shown in place of `queue`. */
  view: string | undefined;
  teamQueues: readonly TeamQueueCounts[];
  onQueue: (queue: CaseQueue) => void;
  onView: (key: string) => void;
  /** Whether there are appeals, decided ones included. */
  hasAppeals: boolean;
};

/** Queues where nothing waits for a decision: their counts leave room for the others. */
const minorQueues = new Set<CaseQueue>(['waiting', 'resolved']);

/** Tabs for the queues of cases; below them those of the team. */
export const CaseQueues = ({
  queue: shown,
  counts,
  view,
  teamQueues,
  onQueue,
  onView,
  hasAppeals,
}: Props) => (
  <div className={tabClasses.frame}>
    {/* biome-ignore lint/a11y/useSemanticElements: not a form */}
    <div role="group" className={`${tabClasses.queues} ${classes.queues}`} aria-label={i18n.t('Queues')}>
      {caseQueues
        .filter((queue) => queue !== 'appeals' || hasAppeals || shown === 'appeals')
        .map((queue) => (
          <UnstyledButton
            key={queue}
            className={tabClasses.queue}
            aria-current={(view === undefined && shown === queue) || undefined}
            onClick={() => onQueue(queue)}
          >
            {i18n.t(queueNames[queue])}
            {counts[queue] > 0 && queue !== 'unassigned' && (
              <span className={tabClasses.count} data-minor={minorQueues.has(queue) || undefined}>
                {number(counts[queue])}
              </span>
            )}
          </UnstyledButton>
        ))}
    </div>
    {teamQueues.length > 0 && (
      // biome-ignore lint/a11y/useSemanticElements: not a form
      <div
        role="group"
        className={`${tabClasses.queues} ${classes.teamQueues}`}
        aria-label={i18n.t('Team queues')}
      >
        {teamQueues.map((queue) => (
          <TeamTab key={queue.key} queue={queue} isShown={view === queue.key} onView={onView} />
        ))}
      </div>
    )}
  </div>
);

type TabProps = { queue: TeamQueueCounts; isShown: boolean; onView: (key: string) => void };

function TeamTab({ queue: { key, name, people, count, overdue }, isShown, onView }: TabProps) {
  const { connection } = useServer();
  return (
    <UnstyledButton
      className={tabClasses.queue}
      aria-current={isShown || undefined}
      title={people.length > 0 ? list(people) : undefined}
      onClick={() => onView(key)}
    >
      {people.includes(connection.userId) && (
        <IconUser size={12} stroke={1.7} role="img" aria-label={i18n.t('Your queue')} />
      )}
      <span className={classes.queueName}>
        <HazardText text={name} />
      </span>
      {count > 0 && <span className={tabClasses.count}>{number(count)}</span>}
      {overdue > 0 && (
        <span className={classes.overdue} title={i18n.t('{count} overdue', { count: number(overdue) })}>
          <IconClockExclamation size={12} stroke={1.7} role="img" aria-label={i18n.t('Overdue')} />
          {number(overdue)}
        </span>
      )}
    </UnstyledButton>
  );
}
