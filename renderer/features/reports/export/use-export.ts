import { useCallback, useEffect, useRef, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/event-reports.ts';
import {
  type AskReports,
  askReports,
  type EventReportFilter,
  type EventReportOrder,
} from '../../../api/event-reports.ts';
import { walkReports } from '../../../api/report-walk.ts';
import type { FileFormat } from '../../../components/file/table-file.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import type { Mark } from '../../../team/entries.ts';

export type ExportState =
  | { step: 'idle' }
  | { step: 'running'; looked: number; total: number; written: number }
  | { step: 'done'; written: number }
  | { step: 'stopped' }
  | { step: 'failed'; error: Error };

export type ExportJob = ReturnType<typeof useExport>;

type Wanted = {
  filter: EventReportFilter;
  dir: EventReportOrder;
  /** Which of the reports that match the filter are wanted. */
  wanted: (report: EventReportItem) => boolean;
  marks: ReadonlyMap<number, Mark>;
};

/** Writes the reports that match to a file, as they come. Leaving the screen stops it. */
export function useExport({ filter, dir, wanted, marks }: Wanted) {
  const { host } = useConsole();
  const server = useServer();
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(format: FileFormat) {
    const [{ openFileSink }, { fileTypes, headOf, lineOf }, { reportColumns, reportRow }] = await Promise.all(
      [
        import('../../../components/file/file-sink.ts'),
        import('../../../components/file/table-file.ts'),
        import('./report-file.ts'),
      ],
    );
    const sink = await openFileSink(
      `reports-${new Date().toISOString().slice(0, 10)}.${format}`,
      fileTypes[format],
      host.shell !== undefined,
    );
    if (!sink) return;
    const stopping = new AbortController();
    running.current = stopping;
    setState({ step: 'running', looked: 0, total: 0, written: 0 });
    try {
      const ask: AskReports = askReports(server, filter, stopping.signal);
      let [looked, written] = [0, 0];
      await sink.write(headOf(format, reportColumns));
      for await (const { reports, total } of walkReports(ask, dir)) {
        stopping.signal.throwIfAborted();
        const chosen = reports.filter(wanted);
        looked += reports.length;
        written += chosen.length;
        await sink.write(
          chosen
            .map((report) => lineOf(format, reportColumns, reportRow(report, marks.get(report.id))))
            .join(''),
        );
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
