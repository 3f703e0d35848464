import { i18n } from '@lingui/core';
import { IconFilterOff } from '@tabler/icons-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { isExpected, UnexpectedEntry } from '../../api/lenient.ts';
import { useCommands } from '../../console-context.ts';
import { number } from '../../words/format.ts';
import type { Column, Sort } from './column.ts';
import { compared, useTableLayout, type Value } from './column.ts';
import { ColumnsMenu } from './columns.tsx';
import classes from './ListedTable.module.css';
import { PagedTable } from './PagedTable.tsx';
import { wholeRows } from './rows.ts';
import { SearchField } from './SearchField.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { type RowSelection, useRowSelection, useWideSelection } from './selection.ts';

type Props<Row> = {
  /** Names what is kept of its columns. */
  id: string;
  label: string;
  rows: readonly (Row | UnexpectedEntry)[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** What a row is ordered by. */
  orderedBy: (row: Row, order: string) => Value;
  search: { label: string; value: string | undefined; onChange: (search: string | undefined) => void };
  /** What of a row is searched in. */
  textOf: (row: Row) => string;
  /** Says how many there are. */
  countOf: (total: number) => string;
  /** Said where there is nothing at all. */
  none: string;
  /** Without it nothing can be selected. */
  selection?: RowSelection;
  /** What can be done with those that are selected. */
  actions?: ReactNode;
  /** Beside the search. */
  filters?: ReactNode;
  /** Its keys are another table's on the same page. */
  quiet?: boolean;
};

/** A table of what is all there already, of any length: searched and ordered here. */
export function ListedTable<Row>(props: Props<Row>) {
  const { id, label, rows, columns, idOf, sort, onSort, orderedBy, search, textOf, selection, quiet } = props;
  const layout = useTableLayout(id, columns);
  const field = useRef<HTMLInputElement>(null);
  const nothing = useRowSelection(id);
  const wanted = search.value?.toLowerCase() ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read of a row stays the same
  const found = useMemo(() => {
    const expected = rows.filter(isExpected);
    const matching = wanted ? expected.filter((row) => textOf(row).toLowerCase().includes(wanted)) : expected;
    const way = sort.dir === 'f' ? 1 : -1;
    const sorted = matching.sort((one, other) =>
      compared(orderedBy(one, sort.order), orderedBy(other, sort.order), way),
    );
    return wanted ? sorted : [...sorted, ...rows.filter((row) => row instanceof UnexpectedEntry)];
  }, [rows, wanted, sort.order, sort.dir]);

  const list = wholeRows(id, found);
  const wide = useWideSelection(list, selection ?? nothing, idOf);

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

  if (rows.length === 0) return <p className={classes.none}>{props.none}</p>;
  return (
    <>
      <search className={classes.bar} aria-label={search.label}>
        <SearchField {...search} inputRef={field} />
        {props.filters}
        <output className={classes.count} aria-label={i18n.t('Results')}>
          {wanted
            ? i18n.t('{found} of {all}', { found: number(found.length), all: number(rows.length) })
            : props.countOf(rows.length)}
        </output>
        <ColumnsMenu columns={columns} layout={layout} />
      </search>
      {selection && (
        <SelectionBar selection={selection} wide={wide} total={found.length}>
          {props.actions}
        </SelectionBar>
      )}
      {found.length === 0 ? (
        <p className={classes.none}>
          <IconFilterOff size={16} stroke={1.5} aria-hidden /> {i18n.t('No matches')}
        </p>
      ) : (
        <PagedTable
          key={`${wanted} ${sort.order} ${sort.dir}`}
          label={label}
          columns={columns}
          layout={layout}
          rows={list}
          idOf={idOf}
          sort={sort}
          onSort={onSort}
          selection={selection ?? nothing}
          wide={wide}
          selectable={selection !== undefined}
          quiet={quiet ?? false}
        />
      )}
    </>
  );
}
