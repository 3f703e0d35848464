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
import { useRowHeights } from '../../density.ts';
import { UnexpectedEntryButton } from '../UnexpectedEntry.tsx';
import type { Column, Sort, TableLayout } from './columns.tsx';
import { ColumnHeader } from './columns.tsx';
import classes from './PagedTable.module.css';
import type { PagedRows } from './rows.ts';
import { type RowSelection, useListState, type WideSelection } from './selection.ts';
import { movingKeys, rowReachedBy, selectingKeys, useTallList } from './use-tall-list.ts';

type Props<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  layout: TableLayout;
  rows: PagedRows<Row>;
  idOf: (row: Row) => string;
  /** Defaults to `idOf`. */
  nameOf?: ((row: Row) => string) | undefined;
  /** Undefined if the rows can't be sorted. */
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
  selection: RowSelection;
  wideSelection: WideSelection;
  selectable?: boolean;
  /** Registers no shortcuts, because another table on the page has them; arrow keys work while it has the focus. */
  quiet?: boolean;
};

/** Debounce: rows that scroll by aren't loaded. */
const settleMs = 80;

/** The current row and the scroll offset in pixels, for coming back. */
type SavedPosition = { current: number | undefined; offset: number };

/** Renders a table over a list of any length: mounts only visible rows and loads only their pages. */
export function PagedTable<Row>(props: Props<Row>) {
  const { label, columns, layout, rows, idOf, sort, onSort, selection, wideSelection } = props;
  const { selectable = true, quiet, nameOf = idOf } = props;
  const { visible: layoutColumns } = layout;
  const visibleColumns = useMemo(
    () => columns.filter(({ id }) => layoutColumns.some((column) => column.id === id)),
    [columns, layoutColumns],
  );
  const total = rows.total ?? 0;
  const { row: rowHeight, tableHead: headerHeight } = useRowHeights();
  const scroller = useRef<HTMLDivElement>(null);
  const { recall, keep } = useListState<SavedPosition>(`place ${rows.name}`);
  const [savedPosition] = useState(recall);
  const [current, setCurrent] = useState(savedPosition?.current);
  const tall = useTallList({
    scroller,
    count: total,
    rowHeight,
    headerHeight,
    initialTop: savedPosition?.offset ?? 0,
  });
  const { loadVisible } = rows;
  const { first, last } = tall;
  useEffect(() => {
    const timer = setTimeout(() => loadVisible(first, last), settleMs);
    return () => clearTimeout(timer);
  }, [loadVisible, first, last]);

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

  // Restores the focus on the row that the user left by, once it has loaded.
  const rowToFocus = useRef(savedPosition?.current);
  useEffect(() => {
    const to = rowToFocus.current;
    if (to === undefined) return;
    const timer = setTimeout(() => {
      const row = scroller.current?.querySelector(`[data-row="${to}"]`);
      const focusIsElsewhere =
        document.activeElement !== document.body && !document.activeElement?.matches('main');
      if (!focusIsElsewhere && !row?.querySelector('a, button')) return;
      rowToFocus.current = undefined;
      if (!focusIsElsewhere) focusRow(row);
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
    focusRow(scroller.current?.querySelector(`[data-row="${next}"]`));
    tall.scrollToRow(next, 'nearest');
    // In a small window, the page scrolls as well.
    scroller.current?.scrollIntoView({ block: 'nearest' });
  }
  function select(index: number, extend: boolean) {
    const notLoaded = selection.toggle(index, extend, idAt);
    if (notLoaded) wideSelection.between(notLoaded.first, notLoaded.last);
  }

  // The current row stays mounted, so that it keeps the focus.
  const isCurrentOffscreen = current !== undefined && current < total && !tall.rows.includes(current);
  const mountedRows = isCurrentOffscreen ? [...tall.rows, current].sort((a, b) => a - b) : tall.rows;
  const offsetOf = (row: number) => {
    const offset = tall.origin + tall.startOf(row);
    return isCurrentOffscreen && row === current
      ? Math.min(tall.height - rowHeight, Math.max(0, offset))
      : offset;
  };
  const isAllSelected = total > 0 && selection.selected.size >= total;
  const currentIndex = current ?? -1;
  const moves = movingKeys(currentIndex, total, move);
  const selects = selectable ? selectingKeys(current, select, wideSelection.all) : [];
  useCommands(quiet ? [] : [...moves, ...selects]);

  const minWidth = visibleColumns.reduce((sum, column) => sum + layout.widthOf(column), 0);
  const style = {
    '--columns': `${selectable ? 'calc(var(--gh-edge) + 1.4rem)' : 'var(--gh-edge)'} ${visibleColumns.map(layout.trackOf).join(' ')}`,
  } as CSSProperties;

  return (
    <section
      ref={scroller}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      aria-busy={rows.isFetching}
      data-old={rows.isStale || undefined}
      style={style}
      onScroll={tall.onScroll}
      onKeyDown={(event) => {
        const to = rowReachedBy(event.key, currentIndex, total);
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
        style={{ height: headerHeight + tall.height, width: `calc(${minWidth}px + 3.25rem)` }}
      >
        <thead className={classes.head}>
          <tr className={classes.header} aria-rowindex={1}>
            <td className={classes.select}>
              {selectable && (
                <input
                  type="checkbox"
                  aria-label={i18n.t('Select all matches')}
                  checked={isAllSelected}
                  onChange={isAllSelected ? selection.clear : wideSelection.all}
                />
              )}
            </td>
            {visibleColumns.map((column) => (
              <ColumnHeader key={column.id} column={column} layout={layout} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody className={classes.body}>
          {mountedRows.map((index) => {
            const row = rows.at(index);
            const entry = row !== undefined && isExpected(row) ? row : undefined;
            const id = idAt(index);
            // Placeholders recycle their elements: hundreds can pass by in a second.
            const hasOwnKey = row !== undefined || index === current;
            return (
              <tr
                key={hasOwnKey ? index : `waiting ${index % tall.most}`}
                data-row={index}
                className={classes.row}
                aria-rowindex={index + 2}
                onFocus={() => setCurrent(index)}
                data-current={index === current || undefined}
                data-selected={(id !== undefined && selection.selected.has(id)) || undefined}
                style={{ transform: `translateY(${offsetOf(index)}px)` }}
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
                    <Cells row={entry} columns={visibleColumns} />
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

/** Memoized: scrolling and loading other rows don't change the cells. */
const Cells = memo(function Cells<Row>({ row, columns }: CellsProps<Row>) {
  return columns.map((column) => (
    <td key={column.id} className={classes.cell} data-numeric={column.isNumeric}>
      {column.cell(row)}
    </td>
  ));
}) as <Row>(props: CellsProps<Row>) => ReactNode;

const focusRow = (row: Element | null | undefined) =>
  (row?.querySelector<HTMLElement>('a, button') ?? row?.querySelector('input'))?.focus({
    preventScroll: true,
  });
