import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { ScheduledTask } from '../../../shared/api/scheduled-tasks.ts';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { jobsOf } from '../../actions/jobs/job-store.ts';
import { retryJob } from '../../actions/jobs/run-job.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { startedBy } from './started-by.ts';
import classes from './TaskDetail.module.css';

/**
 * The way to start a task's action again. Where this console began it, it knows with which choices; a server tells of
 * no task with which it was begun, so elsewhere they have to be made again.
 */
export default function StartAgain({ task }: { task: ScheduledTask }) {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const again = useMemo(() => startedBy(task), [task]);
  const own = jobsOf(server.id)
    .snapshot()
    .find(({ state, items }) => state !== 'running' && items.some((entry) => isOf(entry, task)));
  const entry = own?.items.find((item) => isOf(item, task));

  if (!again) {
    return (
      <p className={classes.note}>
        {i18n.t('It can not be started again from here: the server begins such work by itself.')}
      </p>
    );
  }
  return (
    <div className={classes.again}>
      {own && entry?.state === 'failed' && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} stroke={1.7} aria-hidden />}
          onClick={() => retryJob({ server, queryClient, deletedReports }, own, entry.transaction)}
        >
          {i18n.t('Start again with the same choices')}
        </Button>
      )}
      <p className={classes.note}>
        {i18n.t(
          'With which choices it was begun the server does not tell: to start it again, make them anew.',
        )}
      </p>
      <ActionBar on={again.on} only={again.actions} quiet />
    </div>
  );
}

const isOf = ({ task }: { task?: string }, { id }: ScheduledTask) => task === id;
