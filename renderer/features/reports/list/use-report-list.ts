import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { reportFrameQuery } from '../../../api/reports/report-frame.ts';
import type { AnyReport, ReportSource } from '../../../api/reports/report-source.ts';
import { useMarks, useTeamValue } from '../../../team/use-team.ts';
import { directionOf, isNarrowed, isWhole, type ListSearch } from '../report-search.ts';
import { type Messages, spanOf } from './filter.ts';
import { stageOf } from './list-state.ts';
import { useQueueCounts } from './queue-counts.ts';
import { useScanSource } from './scan-source.ts';
import { type Strategy, strategyOf } from './strategy.ts';
import { useScan } from './use-scan.ts';
import { useWindowSource } from './window-source.ts';

export type ReportList<Report extends AnyReport> = ReturnType<typeof useReportList<Report>>;

const nothing: ReadonlyMap<number, unknown> = new Map();
const unread: Messages = () => undefined;

/** The list of a source that a search describes. */
export function useReportList<Report extends AnyReport>(
  source: ReportSource<Report>,
  search: ListSearch,
  messages = unread,
) {
  const marks = useMarks(source.of);
  const areMarksLoading = useTeamValue((team) => team.areMarksLoading);
  const dir = directionOf(search);
  const frame = useQuery(reportFrameQuery(source, dir)).data;
  const name = JSON.stringify([source.server.id, source.key, { ...search, report: undefined }]);
  const [decided, setDecided] = useState<{ name: string; strategy: Strategy }>();
  const before = decided?.name === name ? decided.strategy : undefined;
  const strategy = strategyOf(search, { frame, marks, areMarksLoading }, before);
  if (strategy && strategy !== before) setDecided({ name, strategy });

  const isWindow = strategy?.kind === 'window';
  const window = useWindowSource(source, dir, isWindow && strategy.hidesMarked ? marks : nothing);
  const { since, until } = search;
  const span = useMemo(() => spanOf(since, until), [since, until]);
  const ids = strategy && 'ids' in strategy ? strategy.ids : undefined;
  const scan = useScan(source, dir, {
    enabled: strategy !== undefined && !isWindow,
    revision: window.revision,
    ids,
    span,
    toEnd: strategy?.kind === 'groups' && strategy.reach === 'end',
  });
  const scanned = useScanSource(scan, strategy, dir, { source, search, marks, messages });

  const { rows } = isWindow ? window : scanned;
  const isFiltered = source.isFiltered || isNarrowed(search);
  const query = strategy && !isWindow ? scan.query : window.query;
  const queues = useQueueCounts({
    source,
    search,
    isFiltered,
    messages,
    window,
    scan,
    isById: ids !== undefined,
  });
  const inQueue = search.queue && queues[search.queue];
  const inWindow = search.queue ? (typeof inQueue === 'number' ? inQueue : undefined) : window.rows.count;
  return {
    name,
    source,
    search,
    marks,
    messages,
    dir,
    strategy,
    isFiltered,
    rows,
    status: {
      query,
      stage: stageOf(strategy, {
        rows: rows.count,
        total: Math.max(window.total, scan.looked),
        goesOn: scanned.goesOn,
        isComplete: scan.isComplete,
        isFiltered,
        queue: search.queue,
      }),
      isEmpty: rows.count === 0 && (isWindow ? frame !== undefined : scan.isComplete),
      isMissing: isWindow ? window.missing !== undefined : scan.query.isError,
      unexpected: isWindow ? window.unexpected : scan.unexpected,
    },
    counts: {
      queues,
      /** Number of rows there will be; undefined while not all of them are known. */
      matching: isWindow || isWhole(search) ? inWindow : scan.isComplete ? rows.count : undefined,
      /** Number of reports that the server's filters leave. */
      total: window.total,
    },
    /** Progress of a client-side scan; undefined for the server's own list. */
    more: isWindow
      ? undefined
      : {
          ...scan,
          isById: ids !== undefined,
          goesOn: scanned.goesOn,
          stop: scanned.stop,
          further: scanned.scanFurther,
        },
    window,
    scan,
    scanned,
  };
}
