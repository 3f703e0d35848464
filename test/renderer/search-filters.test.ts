/** Filters of lists: which parameters count as filters, so that clearing them is offered, and what the server gets. */
import { describe, expect, test } from 'vitest';
import * as rooms from '../../renderer/features/rooms/room-search.ts';
import * as tasks from '../../renderer/features/tasks/task-search.ts';
import * as users from '../../renderer/features/users/user-search.ts';

describe('the list of rooms', () => {
  test.each<[rooms.RoomSearch, boolean]>([
    [{}, false],
    [{ order: 'version', dir: 'b' }, false],
    [{ search: 'a' }, true],
    [{ listed: false }, true],
    [{ empty: false }, true],
    [{ is: ['blocked'] }, true],
  ])('%j is filtered: %s', (search, expected) => {
    expect(rooms.isFiltered(search)).toBe(expected);
    expect(rooms.isFiltered({ ...search, ...rooms.noFilters })).toBe(false);
  });

  test('is sorted by name unless another order is chosen', () => {
    expect(rooms.filterOf({})).toMatchObject({ order: 'name', dir: 'f' });
    const search = { search: 'a', listed: true, empty: false, order: 'version', dir: 'b' } as const;
    expect(rooms.filterOf(search)).toEqual({
      search: 'a',
      isPublic: true,
      isEmpty: false,
      order: 'version',
      dir: 'b',
    });
  });
});

describe('the list of users', () => {
  test.each<[users.UserSearch, boolean]>([
    [{}, false],
    // They only add rows.
    [{ deactivated: true, locked: true }, false],
    [{ make: true, order: 'name' }, false],
    [{ search: 'a' }, true],
    [{ show: 'others' }, true],
    [{ is: ['suspended'] }, true],
    [{ idp: 'oidc' }, true],
    [{ inactive: '2026-03-01' }, true],
    [{ from: '2026-03-01' }, true],
    [{ to: '2026-03-01' }, true],
  ])('%j is filtered: %s', (search, expected) => {
    expect(users.isFiltered(search)).toBe(expected);
    expect(users.isFiltered({ ...search, ...users.noFilters })).toBe(false);
  });

  test.each<[users.UserSearch, object]>([
    [{}, { order: 'name', dir: 'f', admins: undefined, locked: undefined, onlyDeactivated: undefined }],
    [{ show: 'administrators' }, { admins: true }],
    [{ show: 'others' }, { admins: false }],
    [{ is: ['locked'] }, { locked: true, onlyDeactivated: undefined }],
    [{ is: ['locked'], locked: false }, { locked: false }],
    [{ is: ['deactivated'] }, { onlyDeactivated: true, locked: undefined }],
    [
      { order: 'creation_ts', dir: 'b' },
      { order: 'creation_ts', dir: 'b' },
    ],
  ])('%j asks the server for %j', (search, expected) => {
    expect(users.filterOf(search)).toMatchObject(expected);
  });
});

describe('the list of tasks', () => {
  test.each<[tasks.TaskSearch, boolean]>([
    [{}, false],
    [{ task: 'a', sort: '-action' }, false],
    [{ status: ['failed'] }, true],
    [{ action: 'a' }, true],
    [{ resource: '!r:x' }, true],
    [{ text: 'a' }, true],
    [{ after: 0 }, true],
    [{ before: 0 }, true],
  ])('%j is filtered: %s', (search, expected) => {
    expect(tasks.isFiltered(search)).toBe(expected);
    expect(tasks.isFiltered({ ...search, ...tasks.noFilters })).toBe(false);
  });

  test('is filtered by the server as far as it can', () => {
    const search = { action: 'a', resource: '!r:x', before: 0, text: 'b', after: 1 };
    expect(tasks.filterOf(search)).toEqual({ action_name: 'a', resource_id: '!r:x', max_timestamp: 0 });
    expect(tasks.filterOf({})).toEqual({});
  });

  const task = (id: string, status: tasks.TaskState, timestamp_ms: number, more: object = {}) => ({
    id,
    action: 'purge_history',
    status,
    timestamp_ms,
    ...more,
  });

  test('begins with running tasks, then the latest finished ones, then the next scheduled ones', () => {
    const all = [
      task('later', 'scheduled', 9),
      task('old', 'complete', 1),
      task('running', 'active', 2),
      task('next', 'scheduled', 8),
      task('failed', 'failed', 3),
      task('cancelled', 'cancelled', 2),
      task('just started', 'active', 5),
    ];
    expect(all.toSorted(tasks.byRelevance).map(({ id }) => id)).toEqual([
      'just started',
      'running',
      'failed',
      'cancelled',
      'old',
      'next',
      'later',
    ]);
  });

  test.each([
    ['ID', true],
    ['PURGE_', true],
    ['!R:X', true],
    ['full', true],
    ['kicked', true],
    ['complete', false],
  ])('is searched for %s in all texts of a task, ignoring case: %s', (text, expected) => {
    const one = task('id', 'complete', 1, { resource_id: '!r:x', error: 'Disk full', result: { kicked: 1 } });
    expect(tasks.contains(one, text)).toBe(expected);
    expect(tasks.contains(task('other', 'complete', 1), 'purge')).toBe(true);
  });
});
