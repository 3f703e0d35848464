import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { type FileRow, fileTime } from '../../../components/file/table-file.ts';
import type { Mark, Note } from '../../../team/entries.ts';

/** What is written of a report: as the server has it, and what the team made of it. */
export const reportRow = (
  report: EventReportItem,
  mark: Mark | undefined,
  message: string | undefined,
  notes: readonly Note[],
): FileRow => ({
  id: report.id,
  received: fileTime(report.received_ts),
  received_ts: report.received_ts,
  state: mark?.state ?? 'open',
  state_by: mark?.by ?? null,
  state_at: mark ? fileTime(mark.at) : null,
  room_id: report.room_id,
  room_name: report.name,
  canonical_alias: report.canonical_alias,
  event_id: report.event_id,
  reporter: report.user_id,
  sender: report.sender,
  score: report.score,
  reason: report.reason,
  message: message ?? null,
  notes: notes.length === 0 ? null : notes.map(({ by, text }) => `${by}: ${text}`).join('\n'),
});

export const reportColumns = [
  'id',
  'received',
  'received_ts',
  'state',
  'state_by',
  'state_at',
  'room_id',
  'room_name',
  'canonical_alias',
  'event_id',
  'reporter',
  'sender',
  'score',
  'reason',
  'message',
  'notes',
];
