import { i18n } from '@lingui/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { maxPageSize } from '../../api/paging.ts';
import { useCommands } from '../../console-context.ts';
import { ExportButton } from '../file/ExportPanel.tsx';
import type { FileRow } from '../file/table-file.ts';
import { type ExportBatch, useFileExport } from '../file/use-file-export.ts';
import type { Column } from './columns.tsx';
import type { PagedRows } from './rows.ts';

export type ExportedColumn<Row> = Pick<Column<Row>, 'id' | 'value'>;

type Props<Row> = {
  /** Name of the file. */
  id: string;
  /** The list's name, under which the command is found. */
  title: string;
  /** The visible columns, in their order. */
  columns: readonly ExportedColumn<Row>[];
  rows: PagedRows<Row>;
};

/** Exports a list to a file, with its filters, order and columns. An export continues while its panel is closed. */
export function ListExport<Row>({ id, title, columns, rows }: Props<Row>) {
  const [opened, setOpened] = useState(false);
  const job = useFileExport(id);
  useCommands([
    {
      id: `export ${id}`,
      label: i18n.t('Export list'),
      group: title,
      icon: <IconDownload size={17} stroke={1.6} />,
      run: () => setOpened(true),
    },
  ]);
  const exported = columns.filter(({ value }) => value !== null);
  return (
    <ExportButton
      label={i18n.t('Export list')}
      opened={opened}
      onOpen={setOpened}
      job={job}
      onStart={(format) =>
        job.start(
          format,
          exported.map((column) => column.id),
          (signal) => readListRows(rows, exported, signal),
        )
      }
      note={i18n.t('Exports {count, plural, one {# row} other {# rows}} with the visible columns.', {
        count: rows.total ?? 0,
      })}
      doneText={(count) => i18n.t('{count, plural, one {# row} other {# rows}} exported', { count })}
    />
  );
}

/** Reads a list's rows page by page. Rows that shift in the meantime can come twice or be missing. */
export async function* readListRows<Row>(
  rows: PagedRows<Row>,
  columns: readonly ExportedColumn<Row>[],
  signal: AbortSignal,
): AsyncGenerator<ExportBatch> {
  const { total = 0 } = rows;
  for (let first = 0; first < total; first += maxPageSize) {
    const end = Math.min(total, first + maxPageSize);
    const batch = await rows.read(first, end - 1, signal, () => {});
    yield { rows: batch.map((row) => fileRow(row, columns)), read: end, total };
  }
}

const fileRow = <Row,>(row: Row, columns: readonly ExportedColumn<Row>[]): FileRow =>
  Object.fromEntries(columns.map((column) => [column.id, valueIn(row, column) ?? null]));

function valueIn<Row>(row: Row, { id, value }: ExportedColumn<Row>) {
  const cell = value ? value(row) : (row as Record<string, unknown>)[id];
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? cell : undefined;
}
