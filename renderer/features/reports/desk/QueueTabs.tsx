import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import { compact, number } from '../../../words/format.ts';
import type { QueueCounts } from '../list/queue-counts.ts';
import type { Queue } from '../report-search.ts';
import classes from './QueueTabs.module.css';

type Props = {
  /** Default: all. */
  queue: Queue | 'all' | undefined;
  counts: QueueCounts;
  onChange: (change: { queue: Queue | undefined }) => void;
};

const queues: readonly (Queue | 'all')[] = ['all', 'unreviewed', 'escalated', 'resolved'];
const labels: Record<Queue | 'all', string> = {
  all: /*i18n*/ 'All',
  unreviewed: /*i18n*/ 'Open',
  escalated: /*i18n*/ 'Escalated',
  resolved: /*i18n*/ 'Resolved',
};

/** Tabs for the queues and all reports. */
export const QueueTabs = memo(function QueueTabs({ queue: shown = 'all', counts, onChange }: Props) {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: not a form */}
      <div role="group" className={classes.queues} aria-label={i18n.t('Queues')}>
        {queues.map((queue) => {
          const count = counts[queue];
          return (
            <UnstyledButton
              key={queue}
              className={classes.queue}
              aria-current={shown === queue || undefined}
              onClick={() => onChange({ queue: queue === 'all' ? undefined : queue })}
            >
              {i18n.t(labels[queue])}
              {count !== undefined && <Count of={count} />}
            </UnstyledButton>
          );
        })}
      </div>
    </div>
  );
});

function Count({ of }: { of: number | { atLeast: number } }) {
  const isExact = typeof of === 'number';
  const count = isExact ? of : of.atLeast;
  const sign = isExact ? '' : '≥';
  return (
    <span
      className={classes.count}
      title={isExact ? number(count) : i18n.t('At least {count}', { count: number(count) })}
    >
      <bdi className={classes.exact} dir="ltr">
        {sign && `${sign}\u202f`}
        {number(count)}
      </bdi>
      <bdi className={classes.short} dir="ltr" aria-hidden>
        {sign}
        {compact(count, isExact ? 'nearest' : 'below')}
      </bdi>
    </span>
  );
}
