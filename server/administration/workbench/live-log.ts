/** The last lines of the log, and a stream of new ones. */
import { readJson } from '../../../shared/read-json.ts';
import { keptLines, type LogLevel, type LogLine, logLevels } from '../../../shared/workbench/log.ts';
import type { Cause } from '../../platform/http/request-log.ts';

export type LiveLog = {
  /** Minimum level of the log. */
  readonly level: LogLevel;
  add(line: string): void;
  /** Marks the lines that `write` logs as caused by a request. */
  about(cause: Cause, write: () => void): void;
  /** Returns the last lines that match, oldest first. */
  last(isWanted: (line: LogLine, cause: Cause | undefined) => boolean): LogLine[];
  /** Calls back for each new line. Returns a function that ends this. */
  listen(listener: (line: LogLine, cause: Cause | undefined) => void): () => void;
};

/** More than are shown, because few of them may match. */
const maxKept = 5 * keptLines;

export function createLiveLog(level: LogLevel): LiveLog {
  // Parsed only when someone watches.
  let lines: { text: string; cause: Cause | undefined }[] = [];
  const listeners = new Set<Parameters<LiveLog['listen']>[0]>();
  let count = 0;
  let cause: Cause | undefined;

  return {
    level,
    about(request, write) {
      cause = request;
      write();
      cause = undefined;
    },
    add(text) {
      count++;
      lines.push({ text, cause });
      if (lines.length >= 2 * maxKept) lines = lines.slice(-maxKept);
      if (listeners.size === 0) return;
      const read = asLogLine(count, text);
      for (const listener of [...listeners]) listener(read, cause);
    },
    last(isWanted) {
      const first = count - lines.length + 1;
      return lines
        .map((line, index) => ({ line: asLogLine(first + index, line.text), cause: line.cause }))
        .filter((each) => isWanted(each.line, each.cause))
        .slice(-keptLines)
        .map(({ line }) => line);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Parses a line of JSON, or of text that begins with time and level. Lines of requests have no level: `info`. */
function asLogLine(number: number, text: string): LogLine {
  if (text.startsWith('{')) {
    const { level, time } = readJson(text) as { level: LogLevel; time: string };
    return { number, level, time, text };
  }
  const [time = '', word = ''] = text.split(' ', 2);
  const level = logLevels.find((name) => name.toUpperCase() === word) ?? 'info';
  return { number, level, time, text };
}
