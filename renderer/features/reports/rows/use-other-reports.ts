import { useQuery } from '@tanstack/react-query';
import type { EventReportItem } from '../../../../shared/api/event-reports.ts';
import { reportsByEventQuery, reportsOnSenderQuery, reportsPerPage } from '../../../api/event-reports.ts';
import { useServer } from '../../../console-context.ts';

export type OtherReports = {
  onSender: number | undefined;
  onEvent: { count: number; isComplete: boolean } | undefined;
};

/** How many other reports the server has against the same sender and on the same event, once that is known. */
export function useOtherReports({ sender, room_id, event_id }: EventReportItem): OtherReports {
  const server = useServer();
  const { data: ofSender } = useQuery({
    ...reportsOnSenderQuery(server, sender ?? ''),
    enabled: sender !== null,
  });
  const total = ofSender?.total ?? 0;
  const { data: byEvent } = useQuery({
    ...reportsByEventQuery(server, sender ?? '', room_id),
    enabled: total > reportsPerPage,
  });

  if (!ofSender) return { onSender: undefined, onEvent: undefined };
  const onSender = Math.max(0, total - 1);
  if (total > reportsPerPage) {
    const count = Math.max(0, (byEvent?.counts[event_id] ?? 0) - 1);
    return { onSender, onEvent: byEvent && { count, isComplete: byEvent.isComplete } };
  }
  const onEvent = ofSender.event_reports.filter((other) => other.event_id === event_id).length;
  return { onSender, onEvent: { count: Math.max(0, onEvent - 1), isComplete: true } };
}
