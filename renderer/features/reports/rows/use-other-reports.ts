import { useQuery } from '@tanstack/react-query';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { reportsByEventQuery, reportsOnSenderQuery, reportsPerPage } from '../../../api/event-reports.ts';
import { useServer } from '../../../console-context.ts';
import { useMarks } from '../../../team/use-team.ts';

export type OtherReports = {
  /** Whether those alone are counted that nobody has reviewed: of very many, only how many there are is known. */
  areOpen: boolean;
  onSender: number | undefined;
  onEvent: { count: number; isComplete: boolean } | undefined;
};

/** How many other reports there are against the same sender and on the same event, once that is known. */
export function useOtherReports({ id, sender, room_id, event_id }: EventReportItem): OtherReports {
  const server = useServer();
  const marks = useMarks();
  const { data: ofSender } = useQuery({
    ...reportsOnSenderQuery(server, sender ?? ''),
    enabled: sender !== null,
  });
  const total = ofSender?.total ?? 0;
  const { data: byEvent } = useQuery({
    ...reportsByEventQuery(server, sender ?? '', room_id),
    enabled: total > reportsPerPage,
  });

  if (!ofSender) return { areOpen: true, onSender: undefined, onEvent: undefined };
  if (total > reportsPerPage) {
    const count = Math.max(0, (byEvent?.counts[event_id] ?? 0) - 1);
    const onEvent = byEvent && { count, isComplete: byEvent.isComplete };
    return { areOpen: false, onSender: Math.max(0, total - 1), onEvent };
  }
  const open = ofSender.event_reports.filter(
    (other) => other.id !== id && marks.get(other.id)?.state !== 'reviewed',
  );
  const onEvent = open.filter((other) => other.event_id === event_id).length;
  return { areOpen: true, onSender: open.length, onEvent: { count: onEvent, isComplete: true } };
}
