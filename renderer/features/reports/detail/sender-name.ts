import { useQuery } from '@tanstack/react-query';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { eventNowQuery } from '../../../api/event-context.ts';
import { userQuery } from '../../../api/user.ts';
import { useServer } from '../../../console-context.ts';
import { editedEvent } from './event-versions.ts';

/**
 * What the sender is called in the room, or in their profile where that is known already. The parts that show what
 * became of the event ask for the same.
 *
 * @param asks whether it may be asked for
 */
export function useSenderName(report: EventReportDetail, asks = false): string | undefined {
  const server = useServer();
  const sender = report.sender ?? '';
  const eventId = editedEvent(report.event_json) ?? report.event_id;
  const now = useQuery({ ...eventNowQuery(server, report.room_id, eventId), enabled: asks && sender !== '' });
  const account = useQuery({ ...userQuery(server, sender), enabled: false });
  return now.data?.names.get(sender) ?? (account.data?.displayname || undefined);
}
