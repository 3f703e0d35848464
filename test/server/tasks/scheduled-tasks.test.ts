/** The list of scheduled tasks and its filters. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { insertTask } from '../../../server/platform/tasks/scheduled-task-store.ts';
import type { Task } from '../../../server/platform/tasks/task.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const list = '/_service/admin/v1/scheduled_tasks';
/** Keeps these tasks from running during the test. */
const farAway = 4_000_000_000_000;

const purge = { action: 'purge_history', params: {}, result: null, error: null } as const;
const tasks: Task[] = [
  {
    ...purge,
    id: 'first',
    status: 'complete',
    timestampMs: 1_000,
    resourceId: '!a:x',
    result: { purged: 7 },
  },
  { ...purge, id: 'second', status: 'failed', timestampMs: 2_000, resourceId: '!b:x', error: 'No such room' },
  { ...purge, id: 'third', status: 'scheduled', timestampMs: farAway, resourceId: '!a:x' },
  {
    ...purge,
    id: 'fourth',
    status: 'complete',
    timestampMs: 3_000,
    resourceId: null,
    action: 'redact_events',
  },
];

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
  await inTransaction(homeserver.services.db, async (tx) => {
    for (const task of tasks) await insertTask(tx, task);
  });
});
afterAll(() => homeserver.remove());

test('a task has all of its fields', async () => {
  const { status, body } = await homeserver.as('admin').get(`${list}?max_timestamp=2001`);
  expect(status).toBe(200);
  expect(body).toEqual({
    scheduled_tasks: [
      {
        id: 'first',
        action: 'purge_history',
        status: 'complete',
        timestamp_ms: 1_000,
        resource_id: '!a:x',
        result: { purged: 7 },
        error: null,
      },
      {
        id: 'second',
        action: 'purge_history',
        status: 'failed',
        timestamp_ms: 2_000,
        resource_id: '!b:x',
        result: null,
        error: 'No such room',
      },
    ],
  });
});

test.each<[string, string, string[]]>([
  ['without a filter', '', ['first', 'second', 'fourth', 'third']],
  ['by action', 'action_name=redact_events', ['fourth']],
  ['by an action that no task has', 'action_name=redact', []],
  ['by resource', 'resource_id=!a:x', ['first', 'third']],
  ['by status complete', 'status=complete', ['first', 'fourth']],
  ['by status failed', 'status=failed', ['second']],
  ['by status scheduled', 'status=scheduled', ['third']],
  ['by status active', 'status=active', []],
  ['by the name that deployed servers have for a status', 'job_status=failed', ['second']],
  ['by a timestamp, which is not among them', 'max_timestamp=2000', ['first']],
  ['by a timestamp just after one', 'max_timestamp=2001', ['first', 'second']],
  ['by a timestamp before all', 'max_timestamp=0', []],
  [
    'by everything together',
    'action_name=purge_history&resource_id=!a:x&status=complete&max_timestamp=9000',
    ['first'],
  ],
])('the list, filtered %s', async (_, query, expected) => {
  const { body } = await homeserver.as('admin').get(`${list}?${query}`);
  expect(body.scheduled_tasks.map(({ id }: { id: string }) => id)).toEqual(expected);
});

test.each([
  ['an unknown status', 'admin', '?status=waiting', 400, 'M_INVALID_PARAM'],
  ["a timestamp that isn't a number", 'admin', '?max_timestamp=yesterday', 400, 'M_INVALID_PARAM'],
  ['a user', 'alice', '', 403, 'M_FORBIDDEN'],
  ['nobody', 'guest', '', 401, 'M_MISSING_TOKEN'],
])('%s is refused', async (_, caller, query, status, errcode) => {
  expect(await homeserver.as(caller).get(list + query)).toMatchObject({ status, body: { errcode } });
});
