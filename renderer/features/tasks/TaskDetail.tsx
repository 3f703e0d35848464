import { i18n } from '@lingui/core';
import { Code, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import type { ActionTargets } from '../../actions/items.ts';
import { jobsOf } from '../../actions/jobs/job-store.ts';
import { retryJob } from '../../actions/jobs/run-job.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { HazardText, VisibleText } from '../../components/HazardText.tsx';
import { JsonViewer } from '../../components/json/JsonViewer.tsx';
import { exactTime } from '../../components/time.ts';
import { useConsole, useServer } from '../../console-context.ts';
import classes from './TaskDetail.module.css';
import { describeAction } from './task-words.ts';

type Restart = {
  on: ActionTargets;
  /** Actions that may have started it; the task doesn't say which. */
  actions: readonly string[];
};

const roomTaskActions: Record<string, readonly string[]> = {
  purge_history: ['purge-history'],
  shutdown_and_purge_room: ['shut-down-room', 'purge-room'],
};
const userTaskActions: Record<string, readonly string[]> = {
  redact_all_events: ['redact-user'],
};

/** Returns the console's actions that start such a task; undefined if there are none. */
function restartOf({ action, resource_id: id }: ScheduledTask): Restart | undefined {
  if (!id) return undefined;
  const room = roomTaskActions[action];
  if (room) return { on: { rooms: [{ roomId: id }] }, actions: room };
  const user = userTaskActions[action];
  return user && { on: { users: [{ userId: id }] }, actions: user };
}

/** Renders ways to restart a task. Only jobs of this console know their settings. */
function RestartActions({ task, restart }: { task: ScheduledTask; restart: Restart }) {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const job = jobsOf(server)
    .snapshot()
    .find(({ state, items }) => state !== 'running' && items.some((entry) => isEntryOf(entry, task)));
  const entry = job?.items.find((item) => isEntryOf(item, task));
  return (
    <>
      {job && entry?.state === 'failed' && (
        <ButtonWithIcon
          variant="default"
          icon={IconRefresh}
          onClick={() => retryJob({ server, queryClient, deletedReports }, job, entry.transaction)}
        >
          {i18n.t('Restart with same settings')}
        </ButtonWithIcon>
      )}
      <ActionBar on={restart.on} only={restart.actions} quiet />
    </>
  );
}

const isEntryOf = ({ task }: { task?: string }, { id }: ScheduledTask) => task === id;

/** Renders all data of a task. */
export function TaskDetail({ task }: { task: ScheduledTask }) {
  const { id, action, resource_id, timestamp_ms, status, error, result } = task;
  const description = describeAction(action);
  return (
    <div className={classes.detail}>
      <dl className={classes.facts}>
        {description && (
          <>
            <dt>{i18n.t('Description')}</dt>
            <dd>{description}</dd>
          </>
        )}
        <dt>{i18n.t('Task ID')}</dt>
        <dd>
          <Copyable text={id} />
        </dd>
        {resource_id && (
          <>
            <dt>{i18n.t('Resource')}</dt>
            <dd>
              <Copyable text={resource_id} />
            </dd>
          </>
        )}
        <dt>{status === 'scheduled' ? i18n.t('Starts') : i18n.t('Last changed')}</dt>
        <dd>{exactTime(timestamp_ms)}</dd>
      </dl>
      {error && (
        <div>
          <h2 className={classes.heading}>{i18n.t('Error')}</h2>
          <pre className={classes.error}>
            <VisibleText text={error} />
          </pre>
        </div>
      )}
      {(status === 'failed' || status === 'cancelled') && <RestartSection task={task} />}
      {result !== undefined && result !== null && (
        <div>
          <h2 className={classes.heading}>{i18n.t('Result')}</h2>
          <JsonViewer value={result} label="result" />
        </div>
      )}
    </div>
  );
}

/** Servers don't return a task's settings: unless this console started it, they have to be chosen again. */
function RestartSection({ task }: { task: ScheduledTask }) {
  const restart = useMemo(() => restartOf(task), [task]);
  if (!restart) {
    return <p className={classes.note}>{i18n.t('Only the server can restart this task.')}</p>;
  }
  return (
    <div>
      <p className={classes.note}>{i18n.t('Original settings unavailable. Choose them again to restart.')}</p>
      <div className={classes.again}>
        <RestartActions task={task} restart={restart} />
      </div>
    </div>
  );
}

function Copyable({ text }: { text: string }) {
  const clipboard = useClipboard({ timeout: 1000 });
  return (
    <>
      <Code>
        <HazardText text={text} />
      </Code>{' '}
      <UnstyledButton className={classes.copy} onClick={() => clipboard.copy(text)}>
        {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy')}
      </UnstyledButton>
    </>
  );
}
