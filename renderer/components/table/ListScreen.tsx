import { i18n } from '@lingui/core';
import { Button, Loader, Skeleton } from '@mantine/core';
import { IconFilter, IconFilterOff, IconInboxOff, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useCommands } from '../../console-context.ts';
import { FailureMessage } from '../FailureMessage.tsx';
import { LoadingNote } from '../LoadingNote.tsx';
import { NotUpToDate } from '../NotUpToDate.tsx';
import { StateMessage } from '../StateMessage.tsx';
import { type Column, type Sort, useTableLayout } from './column.ts';
import { ColumnsMenu } from './columns.tsx';
import classes from './ListScreen.module.css';
import { PagedTable } from './PagedTable.tsx';
import type { PagedRows } from './rows.ts';
import { SearchField } from './SearchField.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { useRowSelection, useWideSelection } from './selection.ts';

/** In the place of a table that is on its way. */
export function ListSkeleton({ text }: { text: string }) {
  return (
    <div className={classes.skeleton}>
      {[58, 71, 46, 64, 52, 69, 49, 61].map((width) => (
        <div key={width} className={classes.skeletonRow} aria-hidden>
          <Skeleton height={11} width={`${width}%`} />
        </div>
      ))}
      <LoadingNote text={text} />
    </div>
  );
}

type Props<Row> = {
  /** Names what is kept of its columns. */
  id: string;
  title: string;
  /** Of its heading: 2 on a page that has another name. */
  level?: 1 | 2;
  columns: readonly Column<Row>[];
  rows: PagedRows<Row>;
  idOf: (row: Row) => string;
  /** What people call it, where that is not its id. */
  nameOf?: (row: Row) => string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Left out where the server can't search. */
  search?: { label: string; value: string | undefined; onChange: (search: string | undefined) => void };
  /** Beside the search. */
  filters?: ReactNode;
  /** Screens of the same kind, as tabs below the heading. */
  sisters?: ReactNode;
  /** In the heading: ways to what belongs to it. Where some are selected, what is done with them has the keys. */
  ways?: (isSelecting: boolean) => ReactNode;
  /** Between the filters and the list. Where some are selected, what is done with them has the keys. */
  above?: (isSelecting: boolean) => ReactNode;
  /** A way to those that the filters leave out, where it is known that there are some. */
  others?: ReactNode;
  isFiltered: boolean;
  onClear: () => void;
  /** `12 users`, in the person's language. */
  countOf: (total: number) => string;
  words: { loading: string; failed: string; none: string; noneNote: string; noneMatches: string };
  /**
   * What can be done with those that are selected, by their ids; when it is done, none is selected any more. `names` has
   * what people call each that was read since the screen was opened.
   */
  actions: (
    selected: readonly string[],
    onActed: () => void,
    names: ReadonlyMap<string, string>,
  ) => ReactNode;
  /** In place of refreshing the list after that, where it takes long. */
  onActed?: (selected: readonly string[]) => void;
};

/** A list that the server searches and orders: what there is, what is selected, and what can be done with it. */
export function ListScreen<Row>(props: Props<Row>) {
  const { id, title, columns, rows, search, words, isFiltered, onClear } = props;
  const Heading = props.level === 2 ? 'h2' : 'h1';
  const layout = useTableLayout(id, columns);
  const field = useRef<HTMLInputElement>(null);
  const { total, error } = rows;
  const selection = useRowSelection(rows.name);
  const selected = useMemo(() => [...selection.selected], [selection.selected]);
  const { idOf, nameOf } = props;
  const [names] = useState(() => new Map<string, string>());
  /** What is selected is kept by its id: what it is called is noted as it passes. */
  function noted(row: Row): string {
    const id = idOf(row);
    if (nameOf) names.set(id, nameOf(row));
    return id;
  }
  const wide = useWideSelection(rows, selection, noted);
  const screen = useRef<HTMLDivElement>(null);
  function openOnly() {
    if (total !== 1 || rows.isOld) return;
    screen.current?.querySelector<HTMLElement>('[data-row="0"] :is(a, button)')?.click();
  }

  useCommands([
    ...(search
      ? [
          {
            id: `search ${id}`,
            label: search.label,
            group: title,
            keys: ['/'],
            icon: <IconFilter size={17} stroke={1.6} />,
            run: () => field.current?.focus(),
          },
        ]
      : []),
    {
      id: `refresh ${id}`,
      label: i18n.t('Refresh list'),
      group: title,
      keys: ['r'],
      icon: <IconRefresh size={17} stroke={1.6} />,
      run: rows.refetch,
    },
    ...(isFiltered
      ? [
          {
            id: `clear ${id}`,
            label: i18n.t('Clear filters'),
            group: title,
            keys: ['c'],
            icon: <IconFilterOff size={17} stroke={1.6} />,
            run: onClear,
          },
        ]
      : []),
  ]);

  function body() {
    if (total === undefined && error) {
      return (
        <FailureMessage
          title={words.failed}
          error={error}
          onRetry={rows.refetch}
          retrying={rows.isFetching}
        />
      );
    }
    if (total === undefined) return <ListSkeleton text={words.loading} />;
    if (total > 0) {
      return (
        <PagedTable
          key={rows.name}
          label={title}
          columns={columns}
          layout={layout}
          rows={rows}
          idOf={noted}
          nameOf={nameOf}
          sort={props.sort}
          onSort={props.onSort}
          selection={selection}
          wide={wide}
        />
      );
    }
    return isFiltered ? (
      <StateMessage
        icon={<IconFilterOff size={24} stroke={1.5} />}
        title={words.noneMatches}
        description={i18n.t('No results for these filters.')}
      >
        <Button variant="default" onClick={onClear}>
          {i18n.t('Clear filters')}
        </Button>
        {props.others}
      </StateMessage>
    ) : (
      <StateMessage
        icon={<IconInboxOff size={24} stroke={1.5} />}
        title={words.none}
        description={words.noneNote}
      />
    );
  }

  return (
    <div ref={screen} className={classes.screen}>
      <div className={classes.heading}>
        <Heading className={classes.title}>{title}</Heading>
        <output className={classes.count} aria-label={i18n.t('Results')}>
          {total !== undefined && props.countOf(total)}
        </output>
        {rows.isOld && <Loader size={12} role="img" aria-label={i18n.t('Loading')} />}
        <span className={classes.gap} />
        {error && total !== undefined && (
          <NotUpToDate error={error} since={rows.updatedAt} onRetry={rows.refetch} />
        )}
        {props.ways?.(selected.length > 0)}
        <ColumnsMenu columns={columns} layout={layout} />
      </div>
      {props.sisters}
      {(search || props.filters) && (
        <search className={classes.filters} aria-label={i18n.t('Filters')}>
          {search && <SearchField {...search} inputRef={field} onEnter={openOnly} />}
          {props.filters}
          {total !== 0 && props.others}
          {isFiltered && (
            <Button variant="subtle" color="gray" onClick={onClear}>
              {i18n.t('Clear filters')}
            </Button>
          )}
        </search>
      )}
      {props.above?.(selected.length > 0)}
      <SelectionBar selection={selection} wide={wide} total={total ?? 0}>
        {props.actions(
          selected,
          () => {
            selection.clear();
            if (props.onActed) props.onActed(selected);
            else rows.refetch();
          },
          names,
        )}
      </SelectionBar>
      {body()}
    </div>
  );
}
