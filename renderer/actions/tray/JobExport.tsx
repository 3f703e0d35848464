import { i18n } from '@lingui/core';
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { ButtonMenu } from '../../components/ButtonMenu.tsx';
import { openFileSink } from '../../components/file/file-sink.ts';
import {
  extensionOf,
  type FileFormat,
  type FileRow,
  fileTime,
  fileTypes,
  headerLine,
  rowLine,
} from '../../components/file/table-file.ts';
import { useConsole } from '../../console-context.ts';
import { keyOf, roomOf, userOf } from '../items.ts';
import { asError, type Job, type JobItem } from '../jobs/job.ts';
import classes from './JobRows.module.css';

// What was done, and what was not, as a file: a row for each user, room or other thing.

const columns = [
  'action',
  'kind',
  'id',
  'user_id',
  'room_id',
  'outcome',
  'at',
  'error',
  'remaining',
  'task',
  'reason',
];

/** A stopped job has items that are waiting or running. */
const outcomes = {
  waiting: 'not started',
  running: 'unknown',
  task: 'task running',
  done: 'done',
  failed: 'failed',
} as const;

const rowOf = (
  { action, answers, direction }: Job,
  { item, step = action, state, at, failure, left, task, unchanged }: JobItem,
): FileRow => ({
  action: direction === 'undo' ? `undo ${step}` : step,
  kind: item.kind,
  id: keyOf(item),
  user_id: userOf(item) ?? null,
  room_id: item.kind === 'room' ? item.roomId : (roomOf(item) ?? null),
  outcome: unchanged ? 'unchanged' : outcomes[state],
  at: at === undefined ? null : fileTime(at),
  error: failure ? sentenceOf(failure) : null,
  remaining: left ? JSON.stringify(left) : null,
  task: task ?? null,
  reason: answers.reason || null,
});

const sentenceOf = (failure: NonNullable<JobItem['failure']>) => {
  const { sentence, values } = asError(failure);
  return i18n.t(sentence, values);
};

/** Saves it where the person wants it. */
async function saveJob(job: Job, format: FileFormat, inShell: boolean): Promise<void> {
  const name = `${job.action}-${new Date().toISOString().slice(0, 10)}.${extensionOf(format)}`;
  const sink = await openFileSink(name, fileTypes[format], inShell);
  if (!sink) return;
  try {
    await sink.write(headerLine(format, columns));
    for (const entry of job.items) await sink.write(rowLine(format, columns, rowOf(job, entry)));
    await sink.close();
  } catch (error) {
    await sink.discard().catch(() => {});
    throw error;
  }
}

/** What was done as a file. */
export function JobExport({ job }: { job: Job }) {
  const { host } = useConsole();
  const [failed, setFailed] = useState(false);
  async function save(format: FileFormat) {
    setFailed(false);
    try {
      await saveJob(job, format, host.shell !== undefined);
    } catch {
      setFailed(true);
    }
  }
  return (
    <>
      {failed && (
        <span role="alert" className={classes.counts}>
          {i18n.t("Couldn't write the file")}
        </span>
      )}
      <ButtonMenu
        position="top-end"
        button={
          <Button variant="subtle" leftSection={<IconDownload size={13} stroke={1.7} aria-hidden />}>
            {i18n.t('Export')}
          </Button>
        }
      >
        <Menu.Dropdown>
          <Menu.Item onClick={() => void save('csv')}>{i18n.t('CSV for spreadsheets')}</Menu.Item>
          <Menu.Item onClick={() => void save('raw-csv')}>{i18n.t('Raw CSV')}</Menu.Item>
          <Menu.Item onClick={() => void save('ndjson')}>NDJSON</Menu.Item>
        </Menu.Dropdown>
      </ButtonMenu>
    </>
  );
}
