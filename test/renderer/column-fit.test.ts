/** Columns that fit a table at a given window width. */
import { expect, test } from 'vitest';
import { fitColumns } from '../../renderer/components/table/columns.tsx';

const columns = [
  { id: 'name', width: 200 },
  { id: 'kind', width: 150, isMinor: true },
  { id: 'size', width: 100, isNumeric: true },
  { id: 'seen', width: 110, comfortableWidth: 270 },
  { id: 'note', width: 120, hiddenByDefault: true },
];
const untouched = { toggled: [], widths: {} };
const idsAt = (width: number, layout = {}) =>
  fitColumns(columns, { ...untouched, ...layout }, width)
    .visible.map(({ id }) => id)
    .join(' ');

test.each([
  [2000, 'name kind size seen note'],
  [612, 'name kind size seen'],
  [611, 'name size seen'],
  [460, 'name size'],
  [100, 'name'],
])('at %i pixels, minor columns are hidden first, then the last ones', (width, ids) => {
  expect(idsAt(width)).toBe(ids);
});

test('a chosen column stays, and an added one hides no others', () => {
  expect(idsAt(460, { wanted: ['kind'] })).toBe('name kind');
  expect(idsAt(612, { toggled: ['note'] })).toBe('name kind size seen note');
  expect(idsAt(2000, { unwanted: ['note'] })).toBe('name kind size seen');
});

test('wider columns leave no room for optional ones', () => {
  expect(idsAt(2000, { widths: { name: 1400 } })).toBe('name kind size seen');
});

test('exact times show once all columns are comfortable', () => {
  expect(fitColumns(columns, untouched, 980).isComfortable).toBe(true);
  expect(fitColumns(columns, untouched, 900).isComfortable).toBe(false);
});

test('a column is at least as wide as its name', () => {
  const named = [
    { id: 'name', width: 200 },
    { id: 'state', width: 60, name: 'Zustandsereignisse' },
  ];
  const countAt = (width: number) => fitColumns(named, untouched, width).visible.length;
  expect([countAt(395), countAt(396)]).toEqual([1, 2]);
});
