import pLimit from 'p-limit';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Type } from 'typebox';
import { JsonObject } from '../../../../shared/api/common.ts';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { askReports, type EventReportFilter } from '../../../api/event-reports.ts';
import { getLeniently } from '../../../api/lenient.ts';
import type { ReportOrder } from '../../../api/report-source.ts';
import { walkReports } from '../../../api/report-walk.ts';
import { openFileSink } from '../../../components/file/file-sink.ts';
import {
  extensionOf,
  type FileFormat,
  type FileRow,
  fileTime,
  fileTypes,
  headerLine,
  rowLine,
} from '../../../components/file/table-file.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import type { Mark, Note } from '../../../team/entries.ts';
import { teamOf } from '../../../team/team-store.ts';
import { NotFound } from '../../../transport/refusal.ts';
import type { Server } from '../../../transport/server.ts';
import type { Messages } from '../list/filter.ts';
import { bodyOf } from '../list/use-messages.ts';

export type ExportState =
  | { step: 'idle' }
  | { step: 'running'; looked: number; total: number; written: number }
  | { step: 'done'; written: number }
  | { step: 'stopped' }
  | { step: 'failed'; error: Error };

export type ExportJob = ReturnType<typeof useExport>;

type Wanted = {
  filter: EventReportFilter;
  dir: ReportOrder;
  /** Which of the reports that match the filter are wanted. */
  wanted: (report: EventReportItem) => boolean;
  marks: ReadonlyMap<number, Mark>;
  messages: Messages;
};

/** A page of reports whose messages are read takes a while: it is shown after so many how far it is. */
const shownEvery = 100;

const Message = Type.Object({ event_json: Type.Optional(JsonObject) });

/** What a report's message says; nothing of one that was deleted meanwhile. */
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

/** Writes the reports that match to a file, as they come. Leaving the screen stops it. */
export function useExport({ filter, dir, wanted, marks, messages }: Wanted) {
  const { host } = useConsole();
  const server = useServer();
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** @param whole whether each message that was not read yet is asked for, one by one */
  async function start(format: FileFormat, whole: boolean) {
    const sink = await openFileSink(
      `reports-${new Date().toISOString().slice(0, 10)}.${extensionOf(format)}`,
      fileTypes[format],
      host.shell !== undefined,
    );
    if (!sink) return;
    const stopping = new AbortController();
    running.current = stopping;
    setState({ step: 'running', looked: 0, total: 0, written: 0 });
    try {
      const ask = askReports(server, filter, stopping.signal);
      let [looked, written] = [0, 0];
      const notes = notesOf(server);
      const turn = pLimit(4);
      const message = ({ id, event_id }: EventReportItem) => {
        const read = messages(event_id);
        return read === undefined && whole ? turn(() => askMessage(server, id, stopping.signal)) : read;
      };
      await sink.write(headerLine(format, reportColumns));
      for await (const { reports, total } of walkReports(ask, dir)) {
        for (let start = 0; start < reports.length; start += shownEvery) {
          stopping.signal.throwIfAborted();
          const some = reports.slice(start, start + shownEvery);
          const chosen = some.filter(wanted);
          setState({ step: 'running', looked, total: Math.max(total, looked), written });
          const said = await Promise.all(chosen.map(message));
          const lines = chosen.map((report, index) =>
            rowLine(
              format,
              reportColumns,
              reportRow(report, marks.get(report.id), said[index], notes.get(report.id) ?? []),
            ),
          );
          await sink.write(lines.join(''));
          looked += some.length;
          written += chosen.length;
        }
        setState({ step: 'running', looked, total: Math.max(total, looked), written });
      }
      await sink.close();
      setState({ step: 'done', written });
    } catch (error) {
      await sink.discard().catch(() => {});
      setState(stopping.signal.aborted ? { step: 'stopped' } : { step: 'failed', error: error as Error });
    }
  }

  return { state, start, stop: useCallback(() => running.current?.abort(), []) };
}

/** What is written of a report: as the server has it, and what the team made of it. */
const reportRow = (
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

const reportColumns = [
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
