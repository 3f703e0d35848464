import { i18n } from '@lingui/core';
import { IconInbox } from '@tabler/icons-react';
import type { Command } from '../../components/commands.ts';
import { reportQueues } from '../../components/report-queues.ts';
import type { Queue } from './report-search.ts';

/** Each queue by its name, and from one to the one beside it by key. */
export function queueCommands(
  shown: Queue | undefined,
  onQueue: (change: { queue: Queue | undefined }) => void,
): Command[] {
  const group = i18n.t('Queues');
  const icon = <IconInbox size={17} stroke={1.6} />;
  const at = reportQueues.findIndex(({ queue }) => queue === shown);
  const beside = (step: number) => {
    const next = reportQueues[at + step];
    if (next) onQueue({ queue: next.queue });
  };
  return [
    ...reportQueues
      .filter((_, place) => place !== at)
      .map(({ queue, name }) => ({
        id: `queue ${queue ?? 'all'}`,
        label: i18n.t(name),
        group,
        icon,
        run: () => onQueue({ queue }),
      })),
    {
      id: 'next queue',
      label: i18n.t('Next queue'),
      group,
      keys: ['>'],
      keyboardOnly: true,
      run: () => beside(1),
    },
    {
      id: 'previous queue',
      label: i18n.t('Previous queue'),
      group,
      keys: ['<'],
      keyboardOnly: true,
      run: () => beside(-1),
    },
  ];
}
