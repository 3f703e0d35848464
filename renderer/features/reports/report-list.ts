import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { EventReportItem } from '../../../shared/api/event-reports.ts';
import { eventReportsQuery, type LoadedReports, shownReports } from '../../api/event-reports.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { directionOf, filterOf, type ReportSearch } from './report-search.ts';

const none: EventReportItem[] = [];

/** The reports that match the address, as far as they are loaded, without those being deleted. */
export function useReportList(search: ReportSearch) {
  const { deletedReports } = useConsole();
  const server = useServer();
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id));
  const query = useInfiniteQuery({
    ...eventReportsQuery(server, deletedReports, filterOf(search), directionOf(search)),
    select: useCallback((loaded: LoadedReports) => shownReports(loaded, tombstones), [tombstones]),
  });
  const reports = query.data?.reports ?? none;
  const others = useMemo(() => countOthers(reports), [reports]);
  return { query, reports, others, total: query.data?.total };
}

export type ReportListQuery = ReturnType<typeof useReportList>['query'];

export type OtherReports = { onSender: number; onEvent: number };

/** For each loaded report, how many other loaded ones are about the same sender and the same event. */
function countOthers(reports: EventReportItem[]): (report: EventReportItem) => OtherReports {
  const senders = new Map<string | null, number>();
  const events = new Map<string, number>();
  for (const { sender, event_id } of reports) {
    senders.set(sender, (senders.get(sender) ?? 0) + 1);
    events.set(event_id, (events.get(event_id) ?? 0) + 1);
  }
  return ({ sender, event_id }) => ({
    onSender: sender === null ? 0 : (senders.get(sender) ?? 1) - 1,
    onEvent: (events.get(event_id) ?? 1) - 1,
  });
}
