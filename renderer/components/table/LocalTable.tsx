import { i18n } from '@lingui/core';
import { IconFilterOff } from '@tabler/icons-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { isExpected, UnexpectedEntry } from '../../api/lenient.ts';
import { useCommands } from '../../console-context.ts';
import { number } from '../../words/format.ts';
import {
  type Column,
  ColumnsMenu,
  compareValues,
  type Sort,
  useTableLayout,
  type Value,
} from './columns.tsx';
import { ListExport } from './ListExport.tsx';
import classes from './LocalTable.module.css';
import { PagedTable } from './PagedTable.tsx';
import { localRows } from './rows.ts';
import { SearchField } from './SearchField.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { type RowSelection, useRowSelection, useWideSelection } from './selection.ts';

type Props<Row> = {
  /** Key of the saved column layout. */
  id: string;
  label: string;
  rows: readonly (Row | UnexpectedEntry)[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** The row's value in a column, to sort by. */
  sortValue: (row: Row, order: string) => Value;
  search: { label: string; value: string | undefined; onChange: (search: string | undefined) => void };
  /** The row's searchable text. */
  textOf: (row: Row) => string;
  /** For example `12 users`. */
  countOf: (total: number) => string;
  /** Shown for an empty list. */
  emptyText: string;
  /** Undefined if rows can't be selected. */
  selection?: RowSelection;
  /** Actions on the selection. */
  actions?: ReactNode;
  filters?: ReactNode;
  /** Registers no shortcuts: another table on the page has them. */
  quiet?: boolean;
};

/** Renders a table of any length over rows in memory, searched and sorted here. */
export function LocalTable<Row>(props: Props<Row>) {
  const { id, label, rows, columns, idOf, sort, onSort, sortValue, search, textOf, selection, quiet } = props;
  const layout = useTableLayout(id, columns);
  const field = useRef<HTMLInputElement>(null);
  const noSelection = useRowSelection(id);
  const query = search.value?.toLowerCase() ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the accessors are pure
  const matches = useMemo(() => {
    const expected = rows.filter(isExpected);
    const matching = query ? expected.filter((row) => textOf(row).toLowerCase().includes(query)) : expected;
    const sign = sort.dir === 'f' ? 1 : -1;
    const sorted = matching.sort((one, other) =>
      compareValues(sortValue(one, sort.order), sortValue(other, sort.order), sign),
    );
    return query ? sorted : [...sorted, ...rows.filter((row) => row instanceof UnexpectedEntry)];
  }, [rows, query, sort.order, sort.dir]);

  const list = localRows(id, matches);
  const wideSelection = useWideSelection(list, selection ?? noSelection, idOf);

  useCommands(
    quiet
      ? []
      : [
          {
            id: `search ${id}`,
            label: search.label,
            group: label,
            keys: ['/'],
            run: () => field.current?.focus(),
          },
        ],
  );

  if (rows.length === 0) return <p className={classes.none}>{props.emptyText}</p>;
  return (
    <>
      <search className={classes.bar} aria-label={search.label}>
        <SearchField {...search} inputRef={field} />
        {props.filters}
        <output className={classes.count} aria-label={i18n.t('Results')}>
          {query
            ? i18n.t('{found} of {all}', { found: number(matches.length), all: number(rows.length) })
            : props.countOf(rows.length)}
        </output>
        <ListExport id={id} title={label} columns={columns.filter(layout.isVisible)} rows={list} />
        <ColumnsMenu columns={columns} layout={layout} />
      </search>
      {selection && (
        <SelectionBar selection={selection} wideSelection={wideSelection} total={matches.length}>
          {props.actions}
        </SelectionBar>
      )}
      {matches.length === 0 ? (
        <p className={classes.none}>
          <IconFilterOff size={16} stroke={1.5} aria-hidden /> {i18n.t('No matches')}
        </p>
      ) : (
        <PagedTable
          key={`${query} ${sort.order} ${sort.dir}`}
          label={label}
          columns={columns}
          layout={layout}
          rows={list}
          idOf={idOf}
          sort={sort}
          onSort={onSort}
          selection={selection ?? noSelection}
          wideSelection={wideSelection}
          selectable={selection !== undefined}
          quiet={quiet ?? false}
        />
      )}
    </>
  );
}
