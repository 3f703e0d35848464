import { Code, CopyButton, UnstyledButton } from '@mantine/core';
import type { ScheduledTask } from '../../../shared/api/scheduled-tasks.ts';
import { HazardText, VisibleText } from '../../components/HazardText.tsx';
import { JsonViewer } from '../../components/json/JsonViewer.tsx';
import { exactTime } from '../../components/time.ts';
import classes from './TaskDetail.module.css';

/** What folds out of a task's row: everything the server says about it. */
export function TaskDetail({ task }: { task: ScheduledTask }) {
  const { id, resource_id, timestamp_ms, status, error, result } = task;
  return (
    <div className={classes.detail}>
      <dl className={classes.facts}>
        <dt>Id</dt>
        <dd>
          <Copyable text={id} />
        </dd>
        {resource_id && (
          <>
            <dt>Resource</dt>
            <dd>
              <Copyable text={resource_id} />
            </dd>
          </>
        )}
        <dt>{status === 'scheduled' ? 'Starts' : 'Last change'}</dt>
        <dd>{exactTime(timestamp_ms)}</dd>
      </dl>
      {error && (
        <div>
          <h3 className={classes.heading}>Error</h3>
          <pre className={classes.error}>
            <VisibleText text={error} />
          </pre>
        </div>
      )}
      {result !== undefined && result !== null && (
        <div>
          <h3 className={classes.heading}>Result</h3>
          <JsonViewer value={result} label="result" />
        </div>
      )}
    </div>
  );
}

function Copyable({ text }: { text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <>
          <Code>
            <HazardText text={text} />
          </Code>{' '}
          <UnstyledButton className={classes.copy} onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </UnstyledButton>
        </>
      )}
    </CopyButton>
  );
}
