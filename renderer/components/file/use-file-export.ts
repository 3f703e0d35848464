import { useCallback, useEffect, useRef, useState } from 'react';
import { useConsole } from '../../console-context.ts';
import { saveFile } from './file-sink.ts';
import { extensionOf, type FileFormat, type FileRow, fileTypes, headerLine, rowLine } from './table-file.ts';

export type ExportState =
  | { step: 'idle' }
  | { step: 'running'; read: number; total: number; written: number }
  | { step: 'done'; written: number }
  | { step: 'stopped' }
  | { step: 'failed'; error: Error };

export type FileExport = ReturnType<typeof useFileExport>;

/** Rows to write, and how much of the source has been read by then. */
export type ExportBatch = { rows: readonly FileRow[]; read: number; total: number };

/**
 * Writes rows to a file as they are read. Leaving the screen stops the export; an export that stops or fails leaves no
 * file.
 *
 * @param name of the file, without date and extension
 */
export function useFileExport(name: string) {
  const { host } = useConsole();
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(
    format: FileFormat,
    columns: readonly string[],
    readBatches: (signal: AbortSignal) => AsyncIterable<ExportBatch>,
  ) {
    const stopping = new AbortController();
    const { signal } = stopping;
    const fileName = `${name}-${new Date().toISOString().slice(0, 10)}.${extensionOf(format)}`;
    try {
      const written = await saveFile(fileName, fileTypes[format], host.shell !== undefined, async (write) => {
        running.current = stopping;
        setState({ step: 'running', read: 0, total: 0, written: 0 });
        let rowCount = 0;
        await write(headerLine(format, columns));
        for await (const { rows, read, total } of readBatches(signal)) {
          signal.throwIfAborted();
          await write(rows.map((row) => rowLine(format, columns, row)).join(''));
          rowCount += rows.length;
          setState({ step: 'running', read, total: Math.max(total, read), written: rowCount });
        }
        return rowCount;
      });
      if (written !== undefined) setState({ step: 'done', written });
    } catch (error) {
      setState(signal.aborted ? { step: 'stopped' } : { step: 'failed', error: error as Error });
    }
  }

  return { state, start, stop: useCallback(() => running.current?.abort(), []) };
}
