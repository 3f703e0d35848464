import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type PointerEvent, useRef } from 'react';
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
  const { name, order, descending = false } = column;
  const isSorted = order !== undefined && sort.order === order;
  const direction = sort.dir === 'f' ? 'ascending' : 'descending';
  const turned = sort.dir === 'f' ? 'b' : 'f';
  return (
    <th scope="col" className={classes.heading} aria-sort={isSorted ? direction : undefined}>
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
      <Edge column={column} layout={layout} />
    </th>
  );
}

const step = 16;

function Edge<Row>({ column, layout }: Pick<Props<Row>, 'column' | 'layout'>) {
  const drag = useRef<{ x: number; width: number }>(undefined);
  const width = layout.widthOf(column);
  const forward = (event: { currentTarget: Element }) =>
    getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;

  function onPointerMove(event: PointerEvent) {
    if (!drag.current) return;
    layout.resize(column, drag.current.width + (event.clientX - drag.current.x) * forward(event));
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is none that a rule can be
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={i18n.t('Width of {name}', { name: column.name })}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      className={classes.edge}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onKeyDown={(event) => {
        const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!way) return;
        event.preventDefault();
        layout.resize(column, width + step * way * forward(event));
      }}
    />
  );
}
