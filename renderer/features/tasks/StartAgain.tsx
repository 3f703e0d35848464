import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { jobsOf } from '../../actions/jobs/job-store.ts';
import { retryJob } from '../../actions/jobs/run-job.ts';
import { useConsole, useServer } from '../../console-context.ts';
import type { Begun } from './started-by.ts';

/** The ways to start a task's action again. Where this console began it, it knows with which choices. */
export function StartAgain({ task, again }: { task: ScheduledTask; again: Begun }) {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const own = jobsOf(server.id)
    .snapshot()
    .find(({ state, items }) => state !== 'running' && items.some((entry) => isOf(entry, task)));
  const entry = own?.items.find((item) => isOf(item, task));
  return (
    <>
      {own && entry?.state === 'failed' && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} stroke={1.7} aria-hidden />}
          onClick={() => retryJob({ server, queryClient, deletedReports }, own, entry.transaction)}
        >
          {i18n.t('Restart with same settings')}
        </Button>
      )}
      <ActionBar on={again.on} only={again.actions} quiet />
    </>
  );
}

const isOf = ({ task }: { task?: string }, { id }: ScheduledTask) => task === id;
