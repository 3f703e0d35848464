import { expect, test } from 'vitest';
import {
  basketItems,
  hasAll,
  maxBasketSize,
  withItems,
  withoutItems,
} from '../../renderer/actions/basket/basket.ts';
import { targetsOfReports } from '../../renderer/actions/report-targets.ts';

const users = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: 'user' as const, userId: `@u${index}:a.org` }));

test("a report's sender, room and files are added once each, without the report", () => {
  const event_json = { content: { url: 'mxc://a.org/file' } };
  const report = { room_id: '!r', event_id: '$e', sender: '@s:a.org', name: 'x'.repeat(500), event_json };
  const on = targetsOfReports([
    { ...report, id: 1 },
    { ...report, id: 2 },
  ]);
  expect(basketItems(on, 'user')).toEqual([{ kind: 'user', userId: '@s:a.org' }]);
  expect(basketItems(on, 'room')).toEqual([{ kind: 'room', roomId: '!r', name: 'x'.repeat(100) }]);
  expect(basketItems(on, 'media')).toEqual([
    { kind: 'media', uri: 'mxc://a.org/file', of: { roomId: '!r', eventId: '$e' } },
  ]);
});

test('a room whose name is empty is called by its address', () => {
  const report = { id: 1, room_id: '!r', event_id: '$e', sender: '@s:a.org', canonical_alias: '#r:a.org' };
  const of = (name: string | null) => targetsOfReports([{ ...report, name }]);
  expect(of('').rooms).toMatchObject([{ name: '#r:a.org' }]);
  expect(of(null).members).toMatchObject([{ roomName: '#r:a.org' }]);
  expect(of('Lobby').rooms).toMatchObject([{ name: 'Lobby' }]);
});

test("the selection of a user's rooms has rooms, that of a room's members has users", () => {
  const members = [{ userId: '@s:a.org', roomId: '!r' }];
  expect(basketItems({ members }, 'room')).toEqual([{ kind: 'room', roomId: '!r' }]);
  expect(basketItems({ members }, 'user')).toEqual([]);
  expect(basketItems({ members, users: members }, 'room')).toEqual([]);
});

test('items are added once, up to the limit, and removed', () => {
  const full = withItems([], users(maxBasketSize)) ?? [];
  expect(full).toHaveLength(maxBasketSize);
  expect(withItems(full, users(3))).toHaveLength(maxBasketSize);
  expect(withItems(full, [{ kind: 'room', roomId: '!r' }])).toBeUndefined();
  expect(hasAll(full, users(3))).toBe(true);
  const rest = withoutItems(full, users(3));
  expect(rest).toHaveLength(maxBasketSize - 3);
  expect(hasAll(rest, users(4))).toBe(false);
});
