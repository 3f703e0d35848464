/** The keys of a table, as the palette and the list of keys know them. */
import { i18n } from '@lingui/core';
import type { Command } from '../commands.ts';

/** Going from row to row. @param at the current row, -1 where there is none */
export const movingKeys = (at: number, total: number, move: (to: number) => void): Command[] =>
  (
    [
      ['next row', i18n.t('Next row'), ['j', 'ArrowDown'], () => move(at + 1)],
      ['previous row', i18n.t('Previous row'), ['k', 'ArrowUp'], () => move(at - 1)],
      ['first row', i18n.t('First row'), ['Home'], () => move(0)],
      ['last row', i18n.t('Last row'), ['End'], () => move(total - 1)],
    ] as const
  ).map(([id, label, keys, run]) => ({
    id,
    label,
    keys: [...keys],
    run,
    group: i18n.t('Navigation'),
    keyboardOnly: true,
    repeats: true,
  }));

/** The same where a row or the table has the focus, which takes these keys: the row that one leads to. */
export const rowReachedBy = (key: string, at: number, total: number): number | undefined =>
  ({ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: total - 1 })[key];

/** Selecting the current row, all up to it, and all there are. */
export const selectingKeys = (
  current: number | undefined,
  select: (index: number, extend: boolean) => void,
  selectAll: () => void,
): Command[] => [
  {
    id: 'select row',
    label: i18n.t('Toggle selection'),
    keys: ['x'],
    group: i18n.t('Selection'),
    run: () => current !== undefined && select(current, false),
  },
  {
    id: 'select rows',
    label: i18n.t('Select range'),
    keys: ['X'],
    group: i18n.t('Selection'),
    run: () => current !== undefined && select(current, true),
  },
  {
    id: 'select all rows',
    label: i18n.t('Select all matches'),
    keys: ['A'],
    group: i18n.t('Selection'),
    run: selectAll,
  },
];
