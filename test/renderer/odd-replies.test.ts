/**
 * Unexpected replies from older servers, other software or damaged rows: valid parts are shown, and the rest is
 * reported.
 */
import { QueryClient } from '@tanstack/react-query';
import { type TSchema, Type } from 'typebox';
import { expect, test } from 'vitest';
import { isExpected, readEntry, UnexpectedEntry } from '../../renderer/api/lenient.ts';
import { quarantineChangesQuery } from '../../renderer/api/quarantine-changes.ts';
import { Room } from '../../renderer/api/room.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { Nullable } from '../../shared/api/common.ts';
import { expectReply } from '../../shared/connection.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReport } from './sample-reports.ts';

const console = consoleUnderTest();

const Row = Type.Object({
  id: Type.String(),
  count: Type.Integer(),
  on: Type.Boolean(),
  note: Nullable(Type.String()),
  status: Type.Enum(['open', 'done']),
  extra: Type.Optional(Type.Number()),
  list: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
});
const good = { id: 'a', count: 1, on: true, note: null, status: 'open' };

test.each([
  ['as documented', good, good],
  ['0 and 1 for booleans', { ...good, on: 0 }, { ...good, on: false }],
  ['integers as text', { ...good, count: '12' }, { ...good, count: 12 }],
  ['a missing nullable field', { id: 'a', count: 1, on: true, status: 'open' }, good],
  ['a nullable field of another type', { ...good, note: 5 }, good],
  ['null in an optional field', { ...good, extra: null }, good],
  [
    'one bad item in an optional array',
    { ...good, list: [{ name: 'b' }, 7] },
    { ...good, list: [{ name: 'b' }] },
  ],
  ['unknown fields', { ...good, more: [1] }, { ...good, more: [1] }],
])('reads %s', (_case, entry, read) => {
  expect(readEntry(Row, entry)).toEqual(read);
});

test.each([
  ['no id', { ...good, id: undefined }, 'id'],
  ['an unknown word', { ...good, status: 'paused' }, 'status'],
  ['text in place of a number', { ...good, count: 'many' }, 'count'],
  ['no object', 7, ''],
])('an entry with %s is kept with its source, and the field is named', (_case, entry, field) => {
  const read = readEntry(Row, entry);
  expect(read).toEqual(new UnexpectedEntry(field, entry));
  expect(isExpected(read)).toBe(false);
});

test('quarantine changes of a Synapse on SQLite have 0 and 1', async () => {
  const changes = [
    { origin: 'x', media_id: 'first', quarantined: 1 },
    { origin: 'x', media_id: 'first', quarantined: 0 },
  ];
  const get = async (schema: TSchema) =>
    expectReply(schema, { status: 200, body: { next_batch: 0, changes } });
  const query = quarantineChangesQuery({ id: 'a', get } as unknown as Server);
  const read = await new QueryClient().fetchQuery(query);
  expect(read.changes.map(({ isQuarantined }) => isQuarantined)).toEqual([false, true]);
});

test("a room's page only needs the room's ID", () => {
  const names = Object.keys(Room.properties).filter((name) => name !== 'room_id');
  for (const value of [5, '', true, null, [], {}, { a: [1] }]) {
    const odd = Object.fromEntries(names.map((name) => [name, value]));
    expect(readEntry(Room, { room_id: '!r:x', ...odd })).not.toBeInstanceOf(UnexpectedEntry);
  }
});

test('a failure names the field', () => {
  const Page = Type.Object({ rows: Type.Array(Row) });
  expect(() => expectReply(Page, { status: 200, body: { rows: [good, { ...good, count: null }] } })).toThrow(
    '(field rows.1.count)',
  );
});

test('a damaged list entry hides no others, and its source can be viewed', async () => {
  const { page, homeserver } = console;
  homeserver.interfere = (_method, path) => {
    if (path.endsWith('/v2/users')) {
      return {
        status: 200,
        body: {
          users: [{ name: '@one:x', admin: 1 }, { displayname: 'lost' }, { name: '@two:x' }],
          total: '3',
        },
      };
    }
    if (path.endsWith('/v1/background_updates/status')) {
      const begun = {
        name: 'begun_index',
        total_item_count: 0,
        total_duration_ms: 0,
        average_items_per_ms: null,
      };
      return { status: 200, body: { current_updates: { master: begun, state: 5 } } };
    }
    if (path.endsWith('/v1/scheduled_tasks')) {
      const task = { id: 't1', action: 'purge_history', status: 'complete', timestamp_ms: 1 };
      const odd = [
        { ...task, id: 't2', status: 'paused' },
        { ...task, id: 't3', timestamp_ms: null },
      ];
      return { status: 200, body: { scheduled_tasks: [task, ...odd] } };
    }
    const [, about] = /\/v1\/(event|user)_reports$/.exec(path) ?? [];
    if (about) {
      const { event_json: _, ...report } = sampleReport(2);
      const rows = [{ ...report, target_user_id: '@mallory:x' }, { reason: 'without a number' }];
      return { status: 200, body: { [`${about}_reports`]: rows, total: 2 } };
    }
    return undefined;
  };
  await console.open('/users');
  await page.getByText('3 users', { exact: true }).waitFor();
  await page.getByRole('link', { name: '@two:x' }).waitFor();
  await page.getByRole('button', { name: 'Unexpected entry: invalid field name' }).click();
  await page.getByRole('dialog').getByText('lost').waitFor();

  await console.open('/tasks');
  await page.getByText('2 tasks', { exact: true }).waitFor();
  await page.getByRole('row').getByText('paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Unexpected entry: invalid field timestamp_ms' }).waitFor();

  await console.open('/tasks/background-updates');
  await page.getByRole('heading', { name: 'begun_index' }).waitFor();
  await page.getByRole('button', { name: 'Unexpected entry' }).waitFor();

  for (const list of ['/reports', '/reports?text=Reason', '/reports/users']) {
    await console.open(list);
    await page.getByRole('option').filter({ hasText: 'Reason 2' }).waitFor();
    await page.getByRole('button', { name: 'Unexpected entry: invalid field id' }).waitFor();
  }
});
