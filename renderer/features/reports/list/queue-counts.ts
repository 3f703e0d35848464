import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Mark } from '../../../../shared/team/entries.ts';
import type { Tombstones } from '../../../api/reports/deleted-reports.ts';
import type { AnyReport, ReportSource } from '../../../api/reports/report-source.ts';
import { gatherReports } from '../../../api/reports/report-walk.ts';
import { marksUpTo, useReportCounts } from '../../../team/open-counts.ts';
import { useAreMarksKnown, useMarks } from '../../../team/use-team.ts';
import { isNarrowed, type ListSearch, type Queue } from '../report-search.ts';
import { filterReports, isInQueue, type Messages } from './filter.ts';
import { useTombstones } from './report-rows.ts';
import type { Scan } from './use-scan.ts';
import type { WindowSource } from './window-source.ts';

/** Number of reports in each queue, exactly or at least, as far as known without loading every report. */
export type QueueCounts = Partial<Record<Queue | 'all', number | { atLeast: number }>>;

/** Reports that match the server's filters are loaded for counting up to this number. */
const maxCounted = 5_000;

type CountFacts<Report> = {
  search: ListSearch;
  isFiltered: boolean;
  /** Number of reports that match the server's filters, with new ones; and the newest id of the list. */
  frame: { all: number; size: number; latestId: number | undefined } | undefined;
  /** Undefined while the marks are loading. */
  marks: ReadonlyMap<number, Mark> | undefined;
  tombstones: Tombstones;
  /** Number of reports of this kind without a mark, regardless of filters. */
  unreviewed: number | undefined;
  scan: { reports: readonly Report[]; isComplete: boolean; isById: boolean };
  /** The newest reports that match the server's filters, loaded to count them. */
  counted: readonly Report[] | undefined;
  messages: Messages;
};

/**
 * Counts whole queues by the marks. Marks say nothing about filters: filtered reports are counted if all of them were
 * loaded, otherwise the result is a lower bound.
 */
export function queueCounts<Report extends AnyReport>(facts: CountFacts<Report>): QueueCounts {
  const { search, isFiltered, frame, marks, tombstones, unreviewed, scan, counted, messages } = facts;
  const { text, reason, since, until, queue: shown } = search;
  const narrowed = isNarrowed(search);
  const all = narrowed || !frame ? {} : { all: frame.all };
  // It isn't known which marks belong to reports before the server has replied.
  if (!marks || !frame) return all;
  const known = marksUpTo(marks, frame.latestId).filter(({ reportId }) => !tombstones.has(reportId));
  if (!isFiltered) {
    const escalated = known.filter(({ state }) => state === 'escalated').length;
    const resolved = known.length - escalated;
    return { ...all, ...(unreviewed !== undefined && { unreviewed }), escalated, resolved };
  }

  const isScanned = narrowed || scan.isComplete;
  const found = isScanned
    ? filterReports(scan.reports, { text, reason, since, until }, marks, messages)
    : frame.size === 0
      ? []
      : counted?.filter(({ id }) => !tombstones.has(id));
  if (!found) return all;
  // Messages that aren't loaded can match as well.
  const areRead = !text || scan.reports.every(({ event_id = '' }) => messages(event_id) !== undefined);
  const isAll = isScanned ? scan.isComplete && areRead : frame.size <= maxCounted;
  const inQueue = (queue: Queue, least = 0): QueueCounts => {
    const count = found.filter(({ id }) => isInQueue(queue, marks.get(id))).length;
    const isWhole = queue !== 'unreviewed' && count === known.filter((mark) => isInQueue(queue, mark)).length;
    if (isAll || isWhole) return { [queue]: count };
    const atLeast = Math.max(count, least);
    return atLeast > 0 ? { [queue]: { atLeast } } : {};
  };
  // Nothing was loaded of the other queues.
  if (scan.isById && shown) return { ...all, ...(scan.isComplete && inQueue(shown)) };
  const scanned = isAll ? found.length : { atLeast: found.length };
  return {
    ...(narrowed ? (isAll || found.length > 0) && { all: scanned } : all),
    ...inQueue('unreviewed', narrowed ? 0 : frame.all - known.length),
    ...inQueue('escalated'),
    ...inQueue('resolved'),
  };
}

type Options<Report extends AnyReport> = Pick<CountFacts<Report>, 'search' | 'isFiltered' | 'messages'> & {
  source: ReportSource<Report>;
  window: WindowSource<Report>;
  scan: Scan<Report>;
  isById: boolean;
};

export function useQueueCounts<Report extends AnyReport>(options: Options<Report>): QueueCounts {
  const { source, search, isFiltered, messages, window, isById } = options;
  const { reports, isComplete } = options.scan;
  const marks = useMarks(source.of);
  const areMarksKnown = useAreMarksKnown();
  const unreviewed = useReportCounts(source.server)[source.of].open;
  const tombstones = useTombstones(source.of);
  const { data: frame } = window.query;
  const { latestId, size = 0 } = frame ?? {};
  const all = window.total + window.arrived;
  const { data: counted } = useQuery({
    queryKey: [source.server.id, 'report-counts', source.key, size, latestId],
    queryFn: ({ signal }) => gatherReports(source.ask(signal), undefined, maxCounted),
    enabled: isFiltered && !isNarrowed(search) && !isComplete && size > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
  });
  return useMemo(
    () =>
      queueCounts({
        search,
        isFiltered,
        frame: frame && { all, size, latestId },
        marks: areMarksKnown ? marks : undefined,
        tombstones,
        unreviewed,
        scan: { reports, isComplete, isById },
        counted,
        messages,
      }),
    [
      search,
      isFiltered,
      frame,
      all,
      size,
      latestId,
      marks,
      areMarksKnown,
      tombstones,
      unreviewed,
      reports,
      isComplete,
      isById,
      counted,
      messages,
    ],
  );
}
