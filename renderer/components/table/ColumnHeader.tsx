import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { WidthEdge } from '../WidthEdge.tsx';
import type { Column, Sort } from './column.ts';
import classes from './PagedTable.module.css';
import { narrowest, type TableLayout, widest } from './table-layout.ts';

type Props<Row> = {
  column: Column<Row>;
  layout: TableLayout;
  sort: Sort;
  onSort: (sort: Sort) => void;
};

/** A column's name, which orders by it, and its edge, which makes it wider. */
export function ColumnHeader<Row>({ column, layout, sort, onSort }: Props<Row>) {
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
