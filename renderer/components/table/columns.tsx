/** Columns of a table: their layout, headers and menu. */

import { i18n } from '@lingui/core';
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { useConsole } from '../../console-context.ts';
import { ButtonMenu } from '../ButtonMenu.tsx';
import { ResizeHandle } from '../ResizeHandle.tsx';
import classes from './PagedTable.module.css';

export type Column<Row> = {
  id: string;
  name: string;
  /** Tooltip of the header. */
  tooltip?: string;
  /** Default width in pixels. */
  width: number;
  /** Aligns the column to the end. */
  isNumeric?: boolean;
  /** Width in pixels that fits all content, used if there is room. */
  comfortableWidth?: number;
  /** Hidden by default, unless there is room. */
  hiddenByDefault?: boolean;
  /** The server's sort key; undefined if it can't sort by this. */
  order?: string;
  /** Whether the first click sorts descending. */
  descending?: boolean;
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

// The user's column choices, saved in this browser.

const Layout = Type.Object({
  /** Columns whose visibility differs from the default. */
  toggled: Type.Array(Type.String()),
  /** Columns that stay hidden even if there is room. */
  unwanted: Type.Optional(Type.Array(Type.String())),
  /** In pixels. */
  widths: Dictionary(Type.Number()),
});
type Layout = Static<typeof Layout>;

const minColumnWidth = 48;
const maxColumnWidth = 1200;
/** Width of a column that doesn't need to grow, in pixels. */
const narrowWidth = 100;
/** Margins before the first and after the last column, in pixels. */
const margins = 52;

type LayoutColumn = Pick<Column<never>, 'id' | 'width' | 'hiddenByDefault' | 'comfortableWidth'>;

export type TableLayout = ReturnType<typeof useTableLayout>;

/** @param name the table's, shared by all servers */
export function useTableLayout(name: string, columns: readonly LayoutColumn[]) {
  const saved = useConsole().kept.open(`gatehouse.table.${name}`, Layout, { toggled: [], widths: {} });
  const layout = useSyncExternalStore(saved.subscribe, saved.read);
  const { toggled, unwanted = [], widths } = layout;
  const [availableWidth, setAvailableWidth] = useState(0);
  const { visible, isComfortable } = useMemo(
    () => fitColumns(columns, layout, availableWidth),
    [columns, layout, availableWidth],
  );
  const widthOf = ({ id, width }: LayoutColumn) => widths[id] ?? width;
  const isVisible = ({ id }: LayoutColumn) => visible.some((column) => column.id === id);
  return {
    isVisible,
    widthOf,
    /** The column's track in a CSS grid: columns without a chosen width share the free space. */
    trackOf: (column: LayoutColumn) =>
      `minmax(${widthOf(column)}px, ${isComfortable ? comfortableTrackWidth(column, widths) : maxTrackWidth(column, widths)}px)`,
    /** @param width of the table's container, in pixels */
    measure: useCallback((width: number) => setAvailableWidth(width), []),
    toggle(column: LayoutColumn) {
      const { id, hiddenByDefault = false } = column;
      const without = (ids: readonly string[]) => ids.filter((other) => other !== id);
      const hides = isVisible(column);
      saved.write({
        toggled: hides === hiddenByDefault ? without(toggled) : [...without(toggled), id],
        unwanted: hides && hiddenByDefault ? [...without(unwanted), id] : without(unwanted),
        widths,
      });
    },
    resize: ({ id }: LayoutColumn, width: number) =>
      saved.write({ ...layout, widths: { ...widths, [id]: width } }),
    isChanged: toggled.length > 0 || unwanted.length > 0 || Object.keys(widths).length > 0,
    reset: () => saved.write({ toggled: [], widths: {} }),
    /** The visible columns. At least one. */
    visible,
  };
}

/** Maximum width at which a row still reads as one; wide columns grow the most. */
const maxTrackWidth = ({ id, width }: LayoutColumn, widths: Layout['widths']) =>
  widths[id] ?? Math.max(width, 2 * width - narrowWidth);

const comfortableTrackWidth = (column: LayoutColumn, widths: Layout['widths']) =>
  widths[column.id] ?? Math.max(maxTrackWidth(column, widths), column.comfortableWidth ?? 0);

/**
 * Returns the columns that are visible by default or by choice, plus as many optional ones as fit, and whether all of
 * them fit at their comfortable width.
 */
function fitColumns(
  columns: readonly LayoutColumn[],
  { toggled, unwanted = [], widths }: Layout,
  availableWidth: number,
) {
  const sum = (some: readonly LayoutColumn[], widthIn: typeof maxTrackWidth) =>
    some.reduce((total, column) => total + widthIn(column, widths), margins);
  const isChosen = ({ id, hiddenByDefault = false }: LayoutColumn) =>
    toggled.includes(id) === hiddenByDefault;
  let visible = columns.filter((column, index) => index === 0 || isChosen(column));
  for (const extra of columns) {
    if (!extra.hiddenByDefault || visible.includes(extra) || unwanted.includes(extra.id)) continue;
    const more = columns.filter((column) => column === extra || visible.includes(column));
    if (sum(more, maxTrackWidth) > availableWidth) break;
    visible = more;
  }
  return { visible, isComfortable: sum(visible, comfortableTrackWidth) <= availableWidth };
}

type ColumnHeaderProps<Row> = {
  column: Column<Row>;
  layout: TableLayout;
  sort: Sort;
  onSort: (sort: Sort) => void;
};

/** Renders a sortable, resizable column header. */
export function ColumnHeader<Row>({ column, layout, sort, onSort }: ColumnHeaderProps<Row>) {
  const { name, tooltip, order, isNumeric, descending = false } = column;
  const isSorted = order !== undefined && sort.order === order;
  const direction = sort.dir === 'f' ? 'ascending' : 'descending';
  const opposite = sort.dir === 'f' ? 'b' : 'f';
  return (
    <th
      scope="col"
      title={tooltip}
      className={classes.heading}
      data-numeric={isNumeric}
      aria-sort={isSorted ? direction : undefined}
    >
      {order === undefined ? (
        <span className={classes.name}>{name}</span>
      ) : (
        <UnstyledButton
          className={classes.sort}
          onClick={() => onSort({ order, dir: isSorted ? opposite : descending ? 'b' : 'f' })}
        >
          <span className={classes.name}>{name}</span>
          {isSorted && sort.dir === 'f' && <IconArrowUp size={12} aria-hidden />}
          {isSorted && sort.dir === 'b' && <IconArrowDown size={12} aria-hidden />}
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
