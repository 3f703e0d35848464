/** Columns of a table: their layout, headers and menu. */

import { i18n } from '@lingui/core';
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useConsole } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import { ButtonMenu } from '../ButtonMenu.tsx';
import { ResizeHandle } from '../ResizeHandle.tsx';
import classes from './PagedTable.module.css';
import { type Layout, storedLayout } from './stored-layout.ts';

export type Column<Row> = {
  id: string;
  name: string;
  /** Tooltip of the header. */
  tooltip?: string;
  /** Minimum width in pixels. Columns share the free space in proportion to it. */
  width: number;
  /** Aligns the column to the end, and keeps it narrow. */
  isNumeric?: boolean;
  /** Width in pixels that fits all content, used if there is room. */
  comfortableWidth?: number;
  /** Hidden by default, unless there is room. */
  hiddenByDefault?: boolean;
  /** Stays hidden by default even if there is room. */
  isOnlyChosen?: boolean;
  /** Hidden before others in a narrow window; otherwise the last columns are hidden first. */
  isMinor?: boolean;
  /** The server's sort key; undefined if it can't sort by this. */
  order?: string;
  /** Whether the first click sorts descending. */
  descending?: boolean;
  /**
   * The value in an exported file; defaults to the row's field named like the column. Null leaves the column out: its
   * data is loaded for visible rows only.
   */
  value?: ((row: Row) => Value) | null;
  /** The first column contains the row's link or button. */
  cell: (row: Row) => ReactNode;
};

export type Sort = { order: string; dir: 'f' | 'b' };

export type Value = string | number | boolean | null | undefined;

const collator = new Intl.Collator(undefined, { numeric: true });

/** Compares two cells; unknown values come last in either direction. */
export function compareValues(one: Value, other: Value, sign: 1 | -1): number {
  const [isUnknown, otherIsUnknown] = [one ?? undefined, other ?? undefined].map(
    (value) => value === undefined,
  );
  if (isUnknown || otherIsUnknown) return Number(isUnknown) - Number(otherIsUnknown);
  if (typeof one === 'string' && typeof other === 'string') return sign * collator.compare(one, other);
  return sign * (Number(one) - Number(other));
}

const minColumnWidth = 48;
const maxColumnWidth = 1200;
/** Margins before the first and after the last column, in pixels. */
const margins = 52;

type LayoutColumn = Pick<
  Column<never>,
  'id' | 'width' | 'hiddenByDefault' | 'isOnlyChosen' | 'comfortableWidth' | 'isNumeric' | 'isMinor'
> &
  Partial<Pick<Column<never>, 'name'>>;

export type TableLayout = ReturnType<typeof useTableLayout>;

export function useTableLayout(name: string, columns: readonly LayoutColumn[]) {
  const saved = storedLayout(useConsole().deviceStorage, name);
  const layout = useStoreValue(saved, saved.read);
  const { toggled, unwanted = [], wanted = [], widths } = layout;
  const [availableWidth, setAvailableWidth] = useState(0);
  const { visible, isComfortable } = useMemo(
    () => fitColumns(columns, layout, availableWidth),
    [columns, layout, availableWidth],
  );
  const widthOf = (column: LayoutColumn) => widths[column.id] ?? minWidthOf(column);
  const isVisible = ({ id }: LayoutColumn) => visible.some((column) => column.id === id);
  return {
    isVisible,
    widthOf,
    /** The column's track in a CSS grid: columns without a chosen width share the free space. */
    trackOf(column: LayoutColumn) {
      const { id, isNumeric, comfortableWidth } = column;
      const chosen = widths[id];
      const width = minWidthOf(column);
      if (chosen !== undefined) return `${chosen}px`;
      if (!isNumeric && comfortableWidth === undefined) return `minmax(${width}px, ${width}fr)`;
      return `minmax(${width}px, ${isComfortable ? comfortableWidthOf(column) : growth * width}px)`;
    },
    /** @param width of the table's container, in pixels */
    measure: useCallback((width: number) => setAvailableWidth(width), []),
    toggle(column: LayoutColumn) {
      const { id, hiddenByDefault = false } = column;
      const without = (ids: readonly string[]) => ids.filter((other) => other !== id);
      const hides = isVisible(column);
      saved.write({
        toggled: hides === hiddenByDefault ? without(toggled) : [...without(toggled), id],
        unwanted: hides && hiddenByDefault ? [...without(unwanted), id] : without(unwanted),
        wanted: hides ? without(wanted) : [...without(wanted), id],
        widths,
      });
    },
    resize: ({ id }: LayoutColumn, width: number) =>
      saved.write({ ...layout, widths: { ...widths, [id]: width } }),
    isChanged:
      toggled.length > 0 || unwanted.length > 0 || wanted.length > 0 || Object.keys(widths).length > 0,
    reset: () => saved.write({ toggled: [], widths: {} }),
    /** The visible columns. At least one. */
    visible,
  };
}

/** How much a narrow column grows. */
const growth = 1.2;

/** Names that are longer than the values, as in German, aren't cut: per letter, and for the padding beside it. */
const minWidthOf = ({ width, name = '' }: LayoutColumn) => Math.max(width, Math.ceil(6.2 * name.length + 32));

/** Width at which a column leaves room to optional ones. */
const ampleWidthOf = (column: LayoutColumn) =>
  (column.isNumeric || column.comfortableWidth ? growth : 1.5) * minWidthOf(column);

const comfortableWidthOf = (column: LayoutColumn) => column.comfortableWidth ?? ampleWidthOf(column);

/**
 * Returns the columns that are visible by default or by choice, with as many optional ones as fit, and whether all of
 * them fit at their comfortable width. In a narrow window, usual columns are left out until the rest of them fits.
 */
export function fitColumns<Some extends LayoutColumn>(
  columns: readonly Some[],
  { toggled, unwanted = [], wanted = [], widths }: Layout,
  availableWidth: number,
): { visible: Some[]; isComfortable: boolean } {
  const fits = (some: readonly Some[], widthOf: typeof minWidthOf) =>
    some.reduce((total, column) => total + widthOf(column), margins) <= availableWidth;
  const isChosen = ({ id, hiddenByDefault = false }: Some) => toggled.includes(id) === hiddenByDefault;
  let visible = columns.filter((column, index) => index === 0 || isChosen(column));
  if (availableWidth > 0) {
    // Added columns push no others out: the table scrolls sideways.
    let usual = visible.filter(({ id }) => !toggled.includes(id));
    const optional = usual.filter((column) => column !== columns[0] && !wanted.includes(column.id)).reverse();
    const leaving = [
      ...optional.filter(({ isMinor }) => isMinor),
      ...optional.filter(({ isMinor }) => !isMinor),
    ];
    for (const column of leaving) {
      if (fits(usual, minWidthOf)) break;
      usual = usual.filter((other) => other !== column);
    }
    visible = visible.filter((column) => usual.includes(column) || toggled.includes(column.id));
  }
  for (const extra of columns) {
    if (!extra.hiddenByDefault || extra.isOnlyChosen || visible.includes(extra)) continue;
    if (unwanted.includes(extra.id)) continue;
    const more = columns.filter((column) => column === extra || visible.includes(column));
    if (!fits(more, (column) => widths[column.id] ?? ampleWidthOf(column))) break;
    visible = more;
  }
  return {
    visible,
    isComfortable: fits(visible, (column) => widths[column.id] ?? comfortableWidthOf(column)),
  };
}

type ColumnHeaderProps<Row> = {
  column: Column<Row>;
  layout: TableLayout;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
};

/** Renders a resizable column header, which sorts if the rows can be sorted by it. */
export function ColumnHeader<Row>({ column, layout, sort, onSort }: ColumnHeaderProps<Row>) {
  const { name, tooltip, order, isNumeric, descending = false } = column;
  const isSorted = order !== undefined && sort?.order === order;
  const direction = sort?.dir === 'f' ? 'ascending' : 'descending';
  const opposite = sort?.dir === 'f' ? 'b' : 'f';
  return (
    <th
      scope="col"
      title={tooltip}
      className={classes.heading}
      data-numeric={isNumeric}
      aria-sort={isSorted ? direction : undefined}
    >
      {order === undefined || !onSort ? (
        <span className={classes.name}>{name}</span>
      ) : (
        <UnstyledButton
          className={classes.sort}
          onClick={() => onSort({ order, dir: isSorted ? opposite : descending ? 'b' : 'f' })}
        >
          <span className={classes.name}>{name}</span>
          {isSorted && sort?.dir === 'f' && <IconArrowUp size={12} aria-hidden />}
          {isSorted && sort?.dir === 'b' && <IconArrowDown size={12} aria-hidden />}
        </UnstyledButton>
      )}
      <ResizeHandle
        label={i18n.t('Width of {name}', { name })}
        width={layout.widthOf(column)}
        min={minColumnWidth}
        max={maxColumnWidth}
        className={classes.edge}
        onResize={(width) => layout.resize(column, width)}
      />
    </th>
  );
}

/** Renders the menu of visible columns; the first always is. */
export function ColumnsMenu<Row>({
  columns,
  layout,
}: {
  columns: readonly Column<Row>[];
  layout: TableLayout;
}) {
  return (
    <ButtonMenu
      position="bottom-end"
      closeOnItemClick={false}
      button={
        <ActionIcon aria-label={i18n.t('Columns')} title={i18n.t('Columns')}>
          <IconColumns size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      }
    >
      <Menu.Dropdown>
        {columns.slice(1).map((column) => (
          <Menu.CheckboxItem
            key={column.id}
            checked={layout.isVisible(column)}
            onChange={() => layout.toggle(column)}
          >
            {column.name}
          </Menu.CheckboxItem>
        ))}
        {layout.isChanged && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={layout.reset}>{i18n.t('Reset columns')}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
