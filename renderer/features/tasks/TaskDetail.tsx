import { i18n } from '@lingui/core';
import { Code, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useMemo } from 'react';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { HazardText, VisibleText } from '../../components/HazardText.tsx';
import { JsonViewer } from '../../components/json/JsonViewer.tsx';
import { exactTime } from '../../components/time.ts';
import { StartAgain } from './StartAgain.tsx';
import { startedBy } from './started-by.ts';
import classes from './TaskDetail.module.css';
import { whatItIs } from './task-words.ts';

/** What folds out of a task's row: everything the server says about it. */
export function TaskDetail({ task }: { task: ScheduledTask }) {
  const { id, action, resource_id, timestamp_ms, status, error, result } = task;
  const what = whatItIs(action);
  return (
    <div className={classes.detail}>
      <dl className={classes.facts}>
        {what && (
          <>
            <dt>{i18n.t('Description')}</dt>
            <dd>{what}</dd>
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
      {(status === 'failed' || status === 'cancelled') && <Again task={task} />}
      {result !== undefined && result !== null && (
        <div>
          <h2 className={classes.heading}>{i18n.t('Result')}</h2>
          <JsonViewer value={result} label="result" />
        </div>
      )}
    </div>
  );
}

/**
 * Whether and how its action is started again. A server tells of no task with which choices it was begun: but for what
 * this console began, they have to be made again.
 */
function Again({ task }: { task: ScheduledTask }) {
  const again = useMemo(() => startedBy(task), [task]);
  if (!again) {
    return <p className={classes.note}>{i18n.t('Only the server can restart this task.')}</p>;
  }
  return (
    <div>
      <p className={classes.note}>{i18n.t('Original settings unavailable. Choose them again to restart.')}</p>
      <div className={classes.again}>
        <StartAgain task={task} again={again} />
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
