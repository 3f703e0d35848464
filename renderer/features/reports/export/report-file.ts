import type { EventReportItem } from '../../../../shared/api/event-reports.ts';
import type { Mark } from '../../../team/entries.ts';

export type FileFormat = 'csv' | 'ndjson';

type Row = Record<string, string | number | null>;

/** What is written of a report: as the server has it, and what the team made of it. */
const rowOf = (report: EventReportItem, mark: Mark | undefined): Row => ({
  id: report.id,
  received: timeOf(report.received_ts),
  received_ts: report.received_ts,
  state: mark?.state ?? 'open',
  state_by: mark?.by ?? null,
  room_id: report.room_id,
  room_name: report.name,
  canonical_alias: report.canonical_alias,
  event_id: report.event_id,
  reporter: report.user_id,
  sender: report.sender,
  score: report.score,
  reason: report.reason,
});

const columns = [
  'id',
  'received',
  'received_ts',
  'state',
  'state_by',
  'room_id',
  'room_name',
  'canonical_alias',
  'event_id',
  'reporter',
  'sender',
  'score',
  'reason',
];

/** What stands at the beginning of a file. Spreadsheets take a CSV for UTF-8 only where it has the mark. */
export const headOf = (format: FileFormat) => (format === 'csv' ? `\uFEFF${columns.join(',')}\r\n` : '');

export function lineOf(format: FileFormat, report: EventReportItem, mark: Mark | undefined): string {
  const row = rowOf(report, mark);
  return format === 'ndjson'
    ? `${JSON.stringify(row)}\n`
    : `${columns.map((column) => cellOf(row[column] ?? null)).join(',')}\r\n`;
}

/**
 * A cell of a CSV. A spreadsheet runs what begins like a formula, and everything here was written by
 * strangers: an apostrophe before it makes it text.
 */
function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[\s\uFEFF]*[=+\-@\t\r|%＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]|^'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Out-of-range timestamps come from hostile servers and must not end an export. */
function timeOf(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
