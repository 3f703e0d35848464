import pLimit from 'p-limit';
import { Type } from 'typebox';
import { JsonObject } from '../../../../shared/api/common.ts';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { DocumentsOfKind } from '../../../../shared/team/documents.ts';
import type { Mark, Note } from '../../../../shared/team/entries.ts';
import { policyKind, policyName } from '../../../../shared/team/policies.ts';
import { getLeniently } from '../../../api/lenient.ts';
import { askReports, type EventReportFilter } from '../../../api/reports/event-reports.ts';
import type { ReportOrder } from '../../../api/reports/report-source.ts';
import { walkReports } from '../../../api/reports/report-walk.ts';
import { type FileRow, fileTime } from '../../../components/file/table-file.ts';
import type { ExportBatch } from '../../../components/file/use-file-export.ts';
import { teamOf } from '../../../team/team-store.ts';
import { NotFound } from '../../../transport/refusal.ts';
import type { Server } from '../../../transport/server.ts';
import type { Messages } from '../list/filter.ts';
import { bodyOf } from '../list/use-messages.ts';

/** Reading the messages of a whole page takes a while: progress is shown after this many reports. */
const batchSize = 100;

const Message = Type.Object({ event_json: Type.Optional(JsonObject) });

/** Loads a report's message; undefined if the report was deleted in the meantime. */
async function askMessage(server: Server, id: number, signal: AbortSignal): Promise<string | undefined> {
  signal.throwIfAborted();
  try {
    const { event_json } = await getLeniently(server, Message, `/v1/event_reports/${id}`, { signal });
    return bodyOf(event_json?.content);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    return undefined;
  }
}

function notesOf(server: Server): ReadonlyMap<number, Note[]> {
  const notes = new Map<number, Note[]>();
  for (const entry of teamOf(server).snapshot().entries) {
    if (entry.type !== 'note' || entry.subject.kind !== 'report') continue;
    notes.set(entry.subject.id, [...(notes.get(entry.subject.id) ?? []), entry]);
  }
  return notes;
}

type ExportRequest = {
  filter: EventReportFilter;
  dir: ReportOrder;
  isWanted: (report: EventReportItem) => boolean;
  marks: ReadonlyMap<number, Mark>;
  messages: Messages;
  /** Whether to load each message that hasn't been read yet, with one request each. */
  withMessages: boolean;
  signal: AbortSignal;
};

/** Reads the reports that match, as rows of a file. */
export async function* readReportRows(
  server: Server,
  { filter, dir, isWanted, marks, messages, withMessages, signal }: ExportRequest,
): AsyncGenerator<ExportBatch> {
  let looked = 0;
  const notes = notesOf(server);
  const policies = teamOf(server).snapshot().documents(policyKind);
  const limitMessages = pLimit(4);
  const message = ({ id, event_id }: EventReportItem) => {
    const read = messages(event_id);
    return read === undefined && withMessages ? limitMessages(() => askMessage(server, id, signal)) : read;
  };
  for await (const { reports, total } of walkReports(askReports(server, filter, signal), dir)) {
    for (let start = 0; start < reports.length; start += batchSize) {
      const batch = reports.slice(start, start + batchSize);
      const wanted = batch.filter(isWanted);
      const texts = await Promise.all(wanted.map(message));
      looked += batch.length;
      yield {
        rows: wanted.map((report, index) =>
          reportRow(report, {
            mark: marks.get(report.id),
            message: texts[index],
            notes: notes.get(report.id) ?? [],
            policies,
          }),
        ),
        read: looked,
        total,
      };
    }
  }
}

type Known = {
  mark: Mark | undefined;
  message: string | undefined;
  notes: readonly Note[];
  policies: DocumentsOfKind;
};

/** Returns a report as the server has it, with the team's status and notes. */
export const reportRow = (report: EventReportItem, { mark, message, notes, policies }: Known): FileRow => ({
  id: report.id,
  received: fileTime(report.received_ts),
  received_ts: report.received_ts,
  state: mark?.state ?? 'open',
  state_by: mark?.by ?? null,
  state_at: mark ? fileTime(mark.at) : null,
  verdict: mark?.verdict ?? null,
  policy: mark?.policy === undefined ? null : policyName(policies, mark.policy),
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
  'verdict',
  'policy',
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
