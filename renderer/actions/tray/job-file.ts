/** Writes a job's results to a file, with a row per item. */
import { i18n } from '@lingui/core';
import { saveFile } from '../../components/file/file-sink.ts';
import {
  extensionOf,
  type FileFormat,
  type FileRow,
  fileTime,
  fileTypes,
  headerLine,
  rowLine,
} from '../../components/file/table-file.ts';
import { keyOf, roomOf, userOf } from '../items.ts';
import { asError, type Job, type JobItem } from '../jobs/job.ts';

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
  room_id: roomOf(item) ?? null,
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

export async function saveJob(job: Job, format: FileFormat, inShell: boolean): Promise<void> {
  const name = `${job.action}-${new Date().toISOString().slice(0, 10)}.${extensionOf(format)}`;
  await saveFile(name, fileTypes[format], inShell, async (write) => {
    await write(headerLine(format, columns));
    for (const entry of job.items) await write(rowLine(format, columns, rowOf(job, entry)));
  });
}
