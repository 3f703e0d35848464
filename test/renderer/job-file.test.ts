/** The exported results of a job. */
import { i18n } from '@lingui/core';
import { afterEach, expect, test, vi } from 'vitest';
import type { Job, JobItem } from '../../renderer/actions/jobs/job.ts';
import { saveJob } from '../../renderer/actions/tray/job-file.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });
afterEach(() => void vi.unstubAllGlobals());

const at = Date.UTC(2026, 2, 1, 10);
const item = (userId: string, more: Partial<JobItem>): JobItem => ({
  item: { kind: 'user', userId },
  state: 'done',
  transaction: userId,
  ...more,
});
const job = (items: JobItem[], more: Partial<Job> = {}): Job => ({
  id: 'j',
  action: 'suspend-user',
  startedAt: at,
  direction: 'do',
  answers: { reason: '', fields: {} },
  items,
  state: 'ended',
  page: '',
  beat: 0,
  ...more,
});

/** Returns the rows of the file, and its name. */
async function saved(exported: Job) {
  const written: string[] = [];
  const write = async (part: string) => void written.push(part);
  const showSaveFilePicker = vi.fn(async () => ({
    createWritable: async () => ({ write, close: async () => {}, abort: async () => {} }),
  }));
  vi.stubGlobal('window', { showSaveFilePicker });
  await saveJob(exported, 'ndjson', false);
  const rows = written
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return {
    rows,
    name: (showSaveFilePicker.mock.calls as unknown as [{ suggestedName: string }][])[0]?.[0].suggestedName,
  };
}

test('has the outcome of each item', async () => {
  const failure = { code: 'refused' as const, sentence: 'Not allowed: {said}', values: { said: 'no' } };
  const { rows, name } = await saved(
    job([
      item('@a:x', { at }),
      item('@b:x', { unchanged: true, at }),
      item('@c:x', { state: 'failed', failure, at }),
      item('@d:x', { state: 'waiting' }),
      item('@e:x', { state: 'running' }),
      item('@f:x', { state: 'task', task: 'purge' }),
    ]),
  );
  expect(name).toMatch(/^suspend-user-\d{4}-\d\d-\d\d\./);
  expect(rows.map(({ user_id, outcome, error, task }) => [user_id, outcome, error, task])).toEqual([
    ['@a:x', 'done', null, null],
    ['@b:x', 'unchanged', null, null],
    ['@c:x', 'failed', 'Not allowed: no', null],
    ['@d:x', 'not started', null, null],
    ['@e:x', 'unknown', null, null],
    ['@f:x', 'task running', null, 'purge'],
  ]);
  expect(rows[0]).toMatchObject({ action: 'suspend-user', kind: 'user', room_id: null, reason: null });
  expect(new Date(rows[0].at).getTime()).toBe(at);
  expect(rows[3].at).toBeNull();
});

test('has the steps of an undo, with the room of a member and the reason', async () => {
  const member = { kind: 'member', userId: '@a:x', roomId: '!r:x' } as const;
  const { rows } = await saved(
    job([item('@a:x', { item: member, step: 'ban-member' })], {
      direction: 'undo',
      answers: { reason: 'Spam', fields: {} },
    }),
  );
  expect(rows).toMatchObject([
    { action: 'undo ban-member', kind: 'member', user_id: '@a:x', room_id: '!r:x', reason: 'Spam' },
  ]);
});
