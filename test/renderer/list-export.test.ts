import { expect, test } from 'vitest';
import type { ExportBatch } from '../../renderer/components/file/use-file-export.ts';
import { type ExportedColumn, readListRows } from '../../renderer/components/table/ListExport.tsx';
import { localRows, type PagedRows } from '../../renderer/components/table/rows.ts';

type Row = { id: number; name: string; seen: number };

const rows = Array.from({ length: 2_500 }, (_, id): Row => ({ id, name: `user ${id}`, seen: id * 1000 }));
const columns = [{ id: 'name' }, { id: 'seen', value: ({ seen }: Row) => (seen ? seen / 1000 : null) }];

async function exported<R>(list: PagedRows<R>, shown: readonly ExportedColumn<R>[]) {
  const batches: ExportBatch[] = [];
  for await (const batch of readListRows(list, shown, new AbortController().signal)) batches.push(batch);
  return batches;
}

test('an export reads a list page by page with the given columns', async () => {
  const batches = await exported(localRows('all', rows), columns);
  expect(batches.map(({ read, total }) => [read, total])).toEqual([
    [1000, 2500],
    [2000, 2500],
    [2500, 2500],
  ]);
  const written = batches.flatMap((batch) => batch.rows);
  expect(written).toHaveLength(2500);
  expect(written[0]).toEqual({ name: 'user 0', seen: null });
  expect(written[2499]).toEqual({ name: 'user 2499', seen: 2499 });
});

test('cells without plain values are left empty', async () => {
  const odd = [{ name: { hostile: true } }];
  const [batch] = await exported(localRows('odd', odd), [{ id: 'name' }]);
  expect(batch?.rows).toEqual([{ name: null }]);
});
