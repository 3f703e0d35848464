import { i18n } from '@lingui/core';
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns } from '@tabler/icons-react';
import { ButtonMenu } from '../ButtonMenu.tsx';
import { WidthEdge } from '../WidthEdge.tsx';
import { type Column, narrowest, type Sort, type TableLayout, widest } from './column.ts';
import classes from './PagedTable.module.css';

type ColumnHeaderProps<Row> = {
  column: Column<Row>;
  layout: TableLayout;
  sort: Sort;
  onSort: (sort: Sort) => void;
};

/** A column's name, which orders by it, and its edge, which makes it wider. */
export function ColumnHeader<Row>({ column, layout, sort, onSort }: ColumnHeaderProps<Row>) {
  const { name, note, order, descending = false } = column;
  const isSorted = order !== undefined && sort.order === order;
  const direction = sort.dir === 'f' ? 'ascending' : 'descending';
  const turned = sort.dir === 'f' ? 'b' : 'f';
  return (
    <th scope="col" title={note} className={classes.heading} aria-sort={isSorted ? direction : undefined}>
      {order === undefined ? (
        <span className={classes.name}>{name}</span>
      ) : (
        <UnstyledButton
          className={classes.sort}
          onClick={() => onSort({ order, dir: isSorted ? turned : descending ? 'b' : 'f' })}
        >
          <span className={classes.name}>{name}</span>
          {isSorted && sort.dir === 'f' && <IconArrowUp size={12} aria-hidden />}
          {isSorted && sort.dir === 'b' && <IconArrowDown size={12} aria-hidden />}
        </UnstyledButton>
      )}
      <WidthEdge
        label={i18n.t('Width of {name}', { name })}
        width={layout.widthOf(column)}
        narrowest={narrowest}
        widest={widest}
        className={classes.edge}
        onResize={(width) => layout.resize(column, width)}
      />
    </th>
  );
}

type Props<Row> = { columns: readonly Column<Row>[]; layout: TableLayout };

/** Which columns are shown; the first always is. */
export function ColumnsMenu<Row>({ columns, layout }: Props<Row>) {
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
            checked={layout.isShown(column)}
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
