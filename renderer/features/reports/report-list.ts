import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { EventReportItem } from '../../../shared/api/event-reports.ts';
import { eventReportsQuery, uniqueReports } from '../../api/event-reports.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { directionOf, filterOf, isFiltered, type ReportSearch } from './report-search.ts';
import { reviewedReports } from './reviewed-reports.ts';

/** The reports that match the address, as far as they are loaded, without those being deleted. */
export function useReportList(search: ReportSearch) {
  const { deletions } = useConsole();
  const server = useServer();
  const query = useInfiniteQuery(eventReportsQuery(server, filterOf(search), directionOf(search)));
  const hidden = useSyncExternalStore(deletions.subscribe, () => deletions.hidden(server.id));

  const loaded = useMemo(() => (query.data ? uniqueReports(query.data) : []), [query.data]);
  const reports = useMemo(() => loaded.filter(({ id }) => !hidden.has(id)), [loaded, hidden]);
  // Marks of reports that someone else deleted would be counted as reviewed for ever.
  const newestFirst = directionOf(search) === 'b' && !isFiltered(search);
  useEffect(() => {
    if (!newestFirst || loaded.length === 0) return;
    const present = new Set(loaded.map(({ id }) => id));
    const oldest = Math.min(...present);
    const reviewed = reviewedReports(server.id);
    reviewed.unmark([...reviewed.snapshot()].filter((id) => id >= oldest && !present.has(id)));
  }, [newestFirst, loaded, server.id]);

  const others = useMemo(() => countOthers(reports), [reports]);
  const total = query.data?.pages.at(-1)?.total;

  return {
    query,
    reports,
    others,
    /** How many match on the server, less those that are about to be deleted. */
    total: total === undefined ? undefined : total - (loaded.length - reports.length),
  };
}

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
