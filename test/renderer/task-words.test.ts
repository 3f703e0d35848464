/** Descriptions of tasks and their results. */
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { describeAction, outcomeOf } from '../../renderer/features/tasks/task-words.ts';
import type { ScheduledTask } from '../../shared/api/tasks.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const outcome = (action: string, result?: unknown, more: Partial<ScheduledTask> = {}) =>
  outcomeOf({ id: 'a', action, status: 'complete', timestamp_ms: 1, result, ...more });
const running = { status: 'active' } as const;

test.each([
  ['purge_history', { purged_events: 1 }, '1 event purged'],
  ['purge_history', { purged_events: 'many' }, 'purged events many'],
  ['redact_all_events', { failed_redactions: {} }, 'All events redacted'],
  ['redact_all_events', { failed_redactions: { $a: 'x', $b: 'y' } }, "Couldn't redact 2 events"],
  ['redact_all_events', { other: 1 }, 'other 1'],
  ['leave_rooms_of_deactivated_user', { failed_rooms: [] }, 'All rooms left'],
  ['leave_rooms_of_deactivated_user', { failed_rooms: ['!a'] }, "Couldn't leave 1 room"],
  ['leave_rooms_of_deactivated_user', { failed_rooms: 3 }, "Couldn't leave 3 rooms"],
  ['update_join_states', { last_room_id: '!a:x' }, 'Last updated room: !a:x'],
  ['update_join_states', { last_room_id: null }, ''],
  ['shutdown_and_purge_room', { kicked_users: [], failed_to_kick_users: [] }, 'no users kicked'],
  [
    'shutdown_and_purge_room',
    {
      kicked_users: ['@a', '@b'],
      failed_to_kick_users: ['@c'],
      new_room_id: '!n:x',
      local_aliases: ['#a', '#b'],
    },
    "2 users kicked · 1 couldn't be kicked · moved to a new room · 2 aliases moved",
  ],
  ['shutdown_and_purge_room', { kicked_users: ['@a'] }, 'kicked users 1'],
  ['unknown_action', { rows_done: 12_000, tables: [1, 2], nothing: null }, 'rows done 12,000 · tables 2'],
  ['unknown_action', 'text', '"text"'],
  ['unknown_action', null, ''],
  ['unknown_action', undefined, ''],
])('the result of %s %j is %s', (action, result, expected) => {
  expect(outcome(action, result)).toBe(expected);
});

test.each([
  ['redact_all_events', { failed_redactions: {} }],
  ['leave_rooms_of_deactivated_user', { failed_rooms: [] }],
])('a running %s is not said to be complete', (action, result) => {
  expect(outcome(action, result, running)).toBe('');
});

test.each([
  ['redact_all_events', { failed_redactions: { $a: 'x' } }, "Couldn't redact 1 event"],
  ['leave_rooms_of_deactivated_user', { failed_rooms: ['!a'] }, "Couldn't leave 1 room"],
  ['purge_history', { purged_events: 5 }, '5 events purged'],
])('a running %s already shows %j', (action, result, expected) => {
  expect(outcome(action, result, running)).toBe(expected);
});

test('a failed task shows its error, or else its result as it is', () => {
  expect(outcome('purge_history', { purged_events: 1 }, { status: 'failed', error: 'Disk full\nmore' })).toBe(
    'Disk full',
  );
  expect(outcome('purge_history', { purged_events: 1 }, { status: 'failed' })).toBe('purged events 1');
  const traceback = 'Traceback (most recent call last):\n  File "a.py"\nValueError: odd\n';
  expect(outcome('purge_history', undefined, { status: 'failed', error: traceback })).toBe('ValueError: odd');
  expect(outcome('purge_history', undefined, { error: 'x'.repeat(400) })).toHaveLength(300);
});

test('known actions are described, others not', () => {
  const known = [
    'purge_history',
    'shutdown_and_purge_room',
    'redact_all_events',
    'leave_rooms_of_deactivated_user',
    'update_join_states',
  ];
  expect(new Set(known.map(describeAction)).size).toBe(known.length);
  expect(describeAction('unknown_action')).toBeUndefined();
});
