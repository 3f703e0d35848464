/** The log's last lines, and each new one for whoever watches. */
import { keptLines, type LogLevel, type LogLine, logLevels } from '../../shared/workbench/log.ts';

export type LiveLog = {
  /** The least that is written. */
  readonly level: LogLevel;
  add(line: string): void;
  /** The last lines, the oldest first. */
  last(): LogLine[];
  /** Calls back for each line from now on, until the function that it gives is called. */
  listen(listener: (line: LogLine) => void): () => void;
};

export function createLiveLog(level: LogLevel): LiveLog {
  // As they were written: what they say is only looked at for those who watch.
  const lines: string[] = [];
  const listeners = new Set<(line: LogLine) => void>();
  let count = 0;

  return {
    level,
    add(line) {
      count++;
      lines.push(line);
      if (lines.length >= 2 * keptLines) lines.splice(0, lines.length - keptLines);
      if (listeners.size === 0) return;
      const read = asLogLine(count, line);
      for (const listener of [...listeners]) listener(read);
    },
    last: () => {
      const kept = lines.slice(-keptLines);
      return kept.map((line, index) => asLogLine(count - kept.length + index + 1, line));
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Lines are JSON, or text that begins with time and level; those of requests have no level, which is `info`. */
function asLogLine(number: number, text: string): LogLine {
  if (text.startsWith('{')) {
    const { level, time } = JSON.parse(text) as { level: LogLevel; time: string };
    return { number, level, time, text };
  }
  const [time = '', word = ''] = text.split(' ', 2);
  const level = logLevels.find((name) => name.toUpperCase() === word) ?? 'info';
  return { number, level, time, text };
}
