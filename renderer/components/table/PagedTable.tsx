import { i18n } from '@lingui/core';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { isExpected, UnexpectedEntry } from '../../api/lenient.ts';
import { useCommands } from '../../console-context.ts';
import { UnexpectedEntryButton } from '../UnexpectedEntry.tsx';
import type { Column, Sort, TableLayout } from './column.ts';
import { ColumnHeader } from './columns.tsx';
import classes from './PagedTable.module.css';
import type { PagedRows } from './rows.ts';
import type { RowSelection, WideSelection } from './selection.ts';
import { useKept } from './selection.ts';
import { movingKeys, rowReachedBy, selectingKeys, useTallList } from './use-tall-list.ts';

type Props<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  layout: TableLayout;
  rows: PagedRows<Row>;
  idOf: (row: Row) => string;
  /** What people call it, where that is not its id. */
  nameOf?: ((row: Row) => string) | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
  selection: RowSelection;
  wide: WideSelection;
  /** Whether rows can be selected. */
  selectable?: boolean;
  /** Its keys are another table's on the same page; where the focus is in it, arrows move in it. */
  quiet?: boolean;
};

const rowHeight = 34;
const headerHeight = 31;
/** While one scrolls quickly, what passes by is not asked for. */
const settleMs = 80;

/** Where one was: the row that the keys go on from, and how far it was scrolled, in pixels. */
type Place = { current: number | undefined; offset: number };

/** A table over a list of any length: only what is on screen is rendered, and only its pages are loaded. */
export function PagedTable<Row>(props: Props<Row>) {
  const { label, columns, layout, rows, idOf, sort, onSort, selection, wide } = props;
  const { selectable = true, quiet, nameOf = idOf } = props;
  const { shown: chosen } = layout;
  const shown = useMemo(
    () => columns.filter(({ id }) => chosen.some((column) => column.id === id)),
    [columns, chosen],
  );
  const total = rows.total ?? 0;
  const scroller = useRef<HTMLDivElement>(null);
  const { recall, keep } = useKept<Place>(`place ${rows.name}`);
  const [came] = useState(recall);
  const [current, setCurrent] = useState(came?.current);
  const tall = useTallList({
    scroller,
    count: total,
    rowHeight,
    headerHeight,
    initialTop: came?.offset ?? 0,
  });
  const { look } = rows;
  const { first, last } = tall;
  useEffect(() => {
    const timer = setTimeout(() => look(first, last), settleMs);
    return () => clearTimeout(timer);
  }, [look, first, last]);

  const { measure } = layout;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    measure(element.clientWidth);
    const observer = new ResizeObserver(() => measure(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [measure]);

  useEffect(() => keep({ current, offset: tall.top() }));

  // Who comes back goes on from the row that they left by, as soon as it is there.
  const returning = useRef(came?.current);
  useEffect(() => {
    const to = returning.current;
    if (to === undefined) return;
    const timer = setTimeout(() => {
      const row = scroller.current?.querySelector(`[data-row="${to}"]`);
      const isElsewhere =
        document.activeElement !== document.body && !document.activeElement?.matches('main');
      if (!isElsewhere && !row?.querySelector('a, button')) return;
      returning.current = undefined;
      if (!isElsewhere) focusOn(row);
    });
    return () => clearTimeout(timer);
  });

  const idAt = (index: number) => {
    const row = rows.at(index);
    return row && isExpected(row) ? idOf(row) : undefined;
  };

  function move(to: number) {
    if (total === 0) return;
    const next = Math.min(total - 1, Math.max(0, to));
    flushSync(() => setCurrent(next));
    focusOn(scroller.current?.querySelector(`[data-row="${next}"]`));
    tall.scrollToRow(next, 'nearest');
    // Where the window is small, the page around it scrolls, too.
    scroller.current?.scrollIntoView({ block: 'nearest' });
  }
  function select(index: number, extend: boolean) {
    const notLoaded = selection.toggle(index, extend, idAt);
    if (notLoaded) wide.between(notLoaded.first, notLoaded.last);
  }

  // The current row keeps the focus, however far away one has scrolled.
  const isApart = current !== undefined && current < total && !tall.rows.includes(current);
  const drawn = isApart ? [...tall.rows, current].sort((a, b) => a - b) : tall.rows;
  const placeOf = (row: number) => {
    const place = tall.origin + tall.startOf(row);
    return isApart && row === current ? Math.min(tall.height - rowHeight, Math.max(0, place)) : place;
  };
  const isAllSelected = total > 0 && selection.selected.size >= total;
  const at = current ?? -1;
  const moves = movingKeys(at, total, move);
  const selects = selectable ? selectingKeys(current, select, wide.all) : [];
  useCommands(quiet ? [] : [...moves, ...selects]);

  const least = shown.reduce((sum, column) => sum + layout.widthOf(column), 0);
  const style = {
    '--columns': `${selectable ? '2.25rem' : '1rem'} ${shown.map(layout.trackOf).join(' ')}`,
  } as CSSProperties;

  return (
    <section
      ref={scroller}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key
      tabIndex={0}
      aria-label={label}
      aria-busy={rows.isFetching}
      data-old={rows.isOld || undefined}
      style={style}
      onScroll={tall.onScroll}
      onKeyDown={(event) => {
        const to = rowReachedBy(event.key, at, total);
        if (to === undefined || !(event.target instanceof HTMLElement)) return;
        if (event.target !== event.currentTarget && !event.target.closest('[data-row]')) return;
        event.preventDefault();
        move(to);
      }}
    >
      <table
        className={classes.table}
        aria-label={label}
        aria-rowcount={total + 1}
        style={{ height: headerHeight + tall.height, width: `calc(${least}px + 3.25rem)` }}
      >
        <thead className={classes.head}>
          <tr className={classes.header} aria-rowindex={1}>
            <td className={classes.select}>
              {selectable && (
                <input
                  type="checkbox"
                  aria-label={i18n.t('Select all matches')}
                  checked={isAllSelected}
                  onChange={isAllSelected ? selection.clear : wide.all}
                />
              )}
            </td>
            {shown.map((column) => (
              <ColumnHeader key={column.id} column={column} layout={layout} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody className={classes.body}>
          {drawn.map((index) => {
            const row = rows.at(index);
            const entry = row !== undefined && isExpected(row) ? row : undefined;
            const id = idAt(index);
            // What waits at one end is what waited at the other: hundreds can pass by in a second.
            const isOwn = row !== undefined || index === current;
            return (
              <tr
                key={isOwn ? index : `waiting ${index % tall.most}`}
                data-row={index}
                className={classes.row}
                aria-rowindex={index + 2}
                onFocus={() => setCurrent(index)}
                data-current={index === current || undefined}
                data-selected={(id !== undefined && selection.selected.has(id)) || undefined}
                style={{ transform: `translateY(${placeOf(index)}px)` }}
              >
                {entry && id !== undefined ? (
                  <>
                    <td className={classes.select}>
                      {selectable && (
                        <input
                          type="checkbox"
                          aria-label={i18n.t('Select {id}', { id: nameOf(entry) })}
                          checked={selection.selected.has(id)}
                          onChange={() => {}}
                          onClick={(event) => {
                            setCurrent(index);
                            select(index, event.shiftKey);
                          }}
                        />
                      )}
                    </td>
                    <Cells row={entry} columns={shown} />
                  </>
                ) : (
                  <td className={classes.waiting}>
                    {row instanceof UnexpectedEntry ? (
                      <UnexpectedEntryButton entry={row} />
                    ) : (
                      <div className={classes.bar} />
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

type CellsProps<Row> = { row: Row; columns: readonly Column<Row>[] };

/** What a row says doesn't change by where it stands, nor by what else the table learns. */
const Cells = memo(function Cells<Row>({ row, columns }: CellsProps<Row>) {
  return columns.map((column) => (
    <td key={column.id} className={classes.cell}>
      {column.cell(row)}
    </td>
  ));
}) as <Row>(props: CellsProps<Row>) => ReactNode;

const focusOn = (row: Element | null | undefined) =>
  (row?.querySelector<HTMLElement>('a, button') ?? row?.querySelector('input'))?.focus({
    preventScroll: true,
  });
