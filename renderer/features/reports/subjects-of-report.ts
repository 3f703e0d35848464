import type { EventReportDetail } from '../../../shared/api/reports.ts';
import type { Subject } from '../../../shared/team/entries.ts';
import type { FiledKind, FiledReport } from '../../api/reports/filed-reports.ts';

type Reported = Pick<EventReportDetail, 'room_id' | 'event_id' | 'sender'>;

/** Returns the event, the room and the sender of a report: their histories are part of the report's. */
export const subjectsOfReport = ({ room_id: roomId, event_id: eventId, sender }: Reported): Subject[] => [
  { kind: 'event', roomId, eventId },
  { kind: 'room', roomId },
  ...(sender === null ? [] : [{ kind: 'user' as const, userId: sender }]),
];

/** Returns the user or room that a report is on. */
export const subjectsOfFiled = (kind: FiledKind, { about }: FiledReport): Subject[] => [
  kind === 'user' ? { kind, userId: about } : { kind, roomId: about },
];
