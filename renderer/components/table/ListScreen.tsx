import { i18n } from '@lingui/core';
import { Button, Loader, Skeleton } from '@mantine/core';
import { IconFilter, IconFilterOff, IconInbox, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useCommands } from '../../console-context.ts';
import { FailureMessage, LoadingNote, StaleNote, StateMessage } from '../LoadStates.tsx';
import { type Column, ColumnsMenu, type Sort, useTableLayout } from './columns.tsx';
import { ListExport } from './ListExport.tsx';
import classes from './ListScreen.module.css';
import { PagedTable } from './PagedTable.tsx';
import type { PagedRows } from './rows.ts';
import { SearchField } from './SearchField.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { useRowSelection, useWideSelection } from './selection.ts';

/** Placeholder while a table loads. */
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
  /** Key of the saved column layout. */
  id: string;
  title: string;
  /** Heading level: 2 on a page that has an `h1`. */
  level?: 1 | 2;
  /** The page's heading and overview, in which this is one list. */
  page?: { title: string; actions: ReactNode; overview: ReactNode };
  columns: readonly Column<Row>[];
  rows: PagedRows<Row>;
  idOf: (row: Row) => string;
  /** Defaults to `idOf`. */
  nameOf?: (row: Row) => string;
  /** Undefined if the server can't sort. */
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Undefined if the server can't search. */
  search?: { label: string; value: string | undefined; onChange: (search: string | undefined) => void };
  filters?: ReactNode;
  /** Tabs below the heading. */
  tabs?: ReactNode;
  /** Links in the heading. While rows are selected, the selection's actions have the shortcuts. */
  headingActions?: (isSelecting: boolean) => ReactNode;
  /** Menu of saved filters. */
  views?: ReactNode;
  /** Between the filters and the table. While rows are selected, the selection's actions have the shortcuts. */
  above?: (isSelecting: boolean) => ReactNode;
  /** A link to rows that the filters hide, if there are any. */
  hiddenRowsLink?: ReactNode;
  /** The next step for an empty list. */
  emptyAction?: ReactNode;
  isFiltered?: boolean;
  /** Clears the filters, if the list has any. */
  onClear?: () => void;
  /** For example `12 users`. */
  countOf: (total: number) => string;
  texts: {
    loading: string;
    loadFailed: string;
    empty: string;
    emptyNote: ReactNode;
    noMatches?: string;
    noMatchesNote?: string | undefined;
  };
  /**
   * Actions on the selected IDs; `onActed` clears the selection. `names` has the display names of all rows read since
   * the screen opened. Without actions, rows can't be selected.
   */
  actions?: (
    selected: readonly string[],
    onActed: () => void,
    names: ReadonlyMap<string, string>,
  ) => ReactNode;
  /** Replaces the refresh of the list after an action. */
  onActed?: (selected: readonly string[]) => void;
};

/** Renders a list that the server searches and sorts: filters, selection, actions, table. */
export function ListScreen<Row>(props: Props<Row>) {
  const { id, title, columns, rows, search, texts, isFiltered = false, onClear = () => {} } = props;
  const Heading = props.level === 2 || props.page ? 'h2' : 'h1';
  const layout = useTableLayout(id, columns);
  const field = useRef<HTMLInputElement>(null);
  const { total, error } = rows;
  const selection = useRowSelection(rows.name);
  const selected = useMemo(() => [...selection.selected], [selection.selected]);
  const { idOf, nameOf } = props;
  const [names] = useState(() => new Map<string, string>());
  /** The selection keeps IDs only: names are noted as rows pass by. */
  function idAndNoteName(row: Row): string {
    const id = idOf(row);
    if (nameOf) names.set(id, nameOf(row));
    return id;
  }
  const wideSelection = useWideSelection(rows, selection, idAndNoteName);
  const container = useRef<HTMLDivElement>(null);
  function openOnlyRow() {
    if (total !== 1 || rows.isStale) return;
    container.current?.querySelector<HTMLElement>('[data-row="0"] :is(a, button)')?.click();
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
      return <FailureMessage title={texts.loadFailed} query={rows} />;
    }
    if (total === undefined) return <ListSkeleton text={texts.loading} />;
    if (total > 0) {
      return (
        <PagedTable
          key={rows.name}
          label={title}
          columns={columns}
          layout={layout}
          rows={rows}
          idOf={idAndNoteName}
          nameOf={nameOf}
          sort={props.sort}
          onSort={props.onSort}
          selection={selection}
          wideSelection={wideSelection}
          selectable={props.actions !== undefined}
        />
      );
    }
    return isFiltered ? (
      <StateMessage
        icon={<IconFilterOff size={24} stroke={1.5} />}
        title={texts.noMatches ?? i18n.t('No matches')}
        description={texts.noMatchesNote ?? i18n.t('No results for these filters.')}
      >
        <Button variant="default" onClick={onClear}>
          {i18n.t('Clear filters')}
        </Button>
        {props.hiddenRowsLink}
      </StateMessage>
    ) : (
      <StateMessage
        icon={<IconInbox size={24} stroke={1.5} />}
        title={texts.empty}
        description={texts.emptyNote}
      >
        {props.emptyAction}
      </StateMessage>
    );
  }

  return (
    <div ref={container} className={classes.screen}>
      {props.page && (
        <>
          <div className={classes.heading}>
            <h1 className={classes.title}>{props.page.title}</h1>
            <span className={classes.gap} />
            {props.page.actions}
          </div>
          {props.page.overview}
        </>
      )}
      <div className={classes.heading} data-last={!(props.tabs || search || props.filters) || undefined}>
        <Heading className={classes.title}>{title}</Heading>
        <output className={classes.count} aria-label={i18n.t('Results')}>
          {total !== undefined && props.countOf(total)}
        </output>
        {rows.isStale && <Loader size={12} role="img" aria-label={i18n.t('Loading')} />}
        <span className={classes.gap} />
        {error && total !== undefined && (
          <StaleNote error={error} since={rows.updatedAt} onRetry={rows.refetch} />
        )}
        {props.headingActions?.(selected.length > 0)}
        <span className={classes.tools}>
          {total !== undefined && total > 0 && (
            <ListExport id={id} title={title} columns={columns.filter(layout.isVisible)} rows={rows} />
          )}
          {props.views}
          <ColumnsMenu columns={columns} layout={layout} />
        </span>
      </div>
      {props.tabs}
      {(search || props.filters) && (
        <search className={classes.filters} aria-label={i18n.t('Filters')}>
          {search && <SearchField {...search} inputRef={field} onEnter={openOnlyRow} />}
          {props.filters}
          {total !== 0 && props.hiddenRowsLink}
          {isFiltered && (
            <Button variant="subtle" color="gray" onClick={onClear}>
              {i18n.t('Clear filters')}
            </Button>
          )}
        </search>
      )}
      {props.above?.(selected.length > 0)}
      {props.actions && (
        <SelectionBar selection={selection} wideSelection={wideSelection} total={total ?? 0}>
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
      )}
      {body()}
    </div>
  );
}
