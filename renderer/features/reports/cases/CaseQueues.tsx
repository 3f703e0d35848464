import { i18n } from '@lingui/core';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconClockExclamation, IconUser } from '@tabler/icons-react';
import { HazardText } from '../../../components/HazardText.tsx';
import { StateMark } from '../../../components/State.tsx';
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

/** Queues without pending decisions: their counts leave room for the others. */
const minorQueues = new Set<CaseQueue>(['waiting', 'resolved']);

/** Tabs for the queues of cases; below them appeals and the team's queues. */
export function CaseQueues({ queue: shown, counts, view, teamQueues, onQueue, onView, hasAppeals }: Props) {
  const showsAppeals = hasAppeals || shown === 'appeals';
  const tab = (queue: CaseQueue) => (
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
  );
  return (
    <div className={tabClasses.frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: not a form */}
      <div role="group" className={`${tabClasses.queues} ${classes.queues}`} aria-label={i18n.t('Queues')}>
        {caseQueues.filter((queue) => queue !== 'appeals').map(tab)}
      </div>
      {(teamQueues.length > 0 || showsAppeals) && (
        // biome-ignore lint/a11y/useSemanticElements: not a form
        <div
          role="group"
          className={`${tabClasses.queues} ${classes.teamQueues}`}
          aria-label={i18n.t('Team queues')}
        >
          {showsAppeals && tab('appeals')}
          {teamQueues.map((queue) => (
            <TeamTab key={queue.key} queue={queue} isShown={view === queue.key} onView={onView} />
          ))}
        </div>
      )}
    </div>
  );
}

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
        <StateMark
          isSmall
          tone="danger"
          icon={IconClockExclamation}
          words={i18n.t('{count} overdue', { count: number(overdue) })}
          when={i18n.t('{count} overdue', { count: number(overdue) })}
        >
          {number(overdue)} <VisuallyHidden>{i18n.t('Overdue')}</VisuallyHidden>
        </StateMark>
      )}
    </UnstyledButton>
  );
}
