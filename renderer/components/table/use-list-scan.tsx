import { i18n } from '@lingui/core';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type ListFilter, listScanQuery, type ScannedPage } from '../../api/list-scan.ts';
import type { PagedSource } from '../../api/paging.ts';
import { useConsole } from '../../console-context.ts';
import { number } from '../../words/format.ts';
import { ScanBar } from '../ScanBar.tsx';
import { compareValues, type Sort, type Value } from './columns.tsx';
import { localRows, type PagedRows } from './rows.ts';

type Options<Row> = {
  source: PagedSource<Row>;
  /** Undefined if the server filters alone. */
  filter: ListFilter<Row> | undefined;
  idOf: (row: Row) => string;
  sort: Sort;
};

const nothing: ListFilter<never> = { key: 'none', isCostly: false, select: async () => [] };

/** Scans a list for a filter, and sorts the matches here. */
export function useListScan<Row>({ source, filter, idOf, sort }: Options<Row>) {
  const { queryClient } = useConsole();
  const isEnabled = filter !== undefined;
  const options = listScanQuery(source, filter ?? (nothing as ListFilter<Row>));
  const name = JSON.stringify(options.queryKey);
  const query = useInfiniteQuery({ ...options, enabled: isEnabled });
  const { data, hasNextPage, isFetching, error, fetchNextPage } = query;
  const [stoppedFor, setStoppedFor] = useState<string>();
  const isScanning = isEnabled && !error && stoppedFor !== name && (data === undefined || hasNextPage);
  useEffect(() => {
    if (isScanning && data && !isFetching) void fetchNextPage();
  }, [isScanning, data, isFetching, fetchNextPage]);

  const { order, dir } = sort;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the accessor is pure
  const matches = useMemo(() => {
    const unique = new Map(data?.pages.flatMap((page) => page.matches.map((row) => [idOf(row), row])));
    const sortValueOf = (row: Row) => (row as Record<string, unknown>)[order] as Value;
    return [...unique.values()].sort((one, other) =>
      compareValues(sortValueOf(one), sortValueOf(other), dir === 'f' ? 1 : -1),
    );
  }, [data, order, dir]);

  const isPending = matches.length === 0 && isScanning;
  const rows: PagedRows<Row> = {
    ...localRows(`${name} ${order} ${dir}`, isPending ? undefined : matches),
    error: matches.length === 0 ? error : null,
    isFetching,
    updatedAt: query.dataUpdatedAt,
    refetch: () => void (error ? resume() : queryClient.resetQueries({ queryKey: options.queryKey })),
  };
  function resume() {
    setStoppedFor(undefined);
    if (error) void (data ? fetchNextPage() : query.refetch());
  }

  /** Checks acted-on rows again, without scanning the others again. */
  async function recheck(ids: readonly string[]) {
    const acted = new Set(ids);
    const rows = matches.filter((row) => acted.has(idOf(row)));
    const still = await filter?.select(rows, new AbortController().signal).catch(() => undefined);
    if (!still) return;
    const fresh = new Map(still.map((row) => [idOf(row), row]));
    queryClient.setQueryData<InfiniteData<ScannedPage<Row>, number>>(
      options.queryKey,
      (before) =>
        before && {
          ...before,
          pages: before.pages.map((page) => ({
            ...page,
            matches: page.matches.flatMap((row) =>
              acted.has(idOf(row)) ? (fresh.get(idOf(row)) ?? []) : [row],
            ),
          })),
        },
    );
  }

  return {
    rows,
    recheck,
    progress: {
      read: data?.pages.reduce((sum, { read }) => sum + read, 0) ?? 0,
      total: data?.pages.at(-1)?.total,
      error,
      isRunning: isScanning,
      isComplete: data !== undefined && !hasNextPage,
      onStop: () => setStoppedFor(name),
      onContinue: resume,
    },
  };
}

/** Renders how much of a list has been scanned. */
export function ListScanBar({ progress }: { progress: ReturnType<typeof useListScan>['progress'] }) {
  const { read, total, isComplete, ...bar } = progress;
  return (
    <ScanBar
      {...bar}
      isComplete={isComplete}
      progress={total === undefined ? undefined : { value: read, max: Math.max(total, read) }}
      summary={
        total === undefined
          ? i18n.t('Scanning…')
          : isComplete
            ? i18n.t('All {total} scanned.', { total: number(read) })
            : i18n.t('{read} of {total} scanned.', { read: number(read), total: number(total) })
      }
    />
  );
}
