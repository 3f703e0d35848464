/** The log as lines for people. */

/** What the log knows of a request that has its reply. Sizes are bytes, times are milliseconds. */
export type RequestRecord = {
  method: string;
  /** With its query, without secrets. */
  path: string;
  status: number;
  size: number;
  time: number;
  user: string | null;
  /** What the thread that answers requests used of the processor meanwhile. */
  ru: { user: number; system: number };
  db: { statements: number; time: number };
};

export type LogRecord = {
  level: string;
  /** ISO 8601. */
  time: string;
  msg?: string;
  err?: { type: string; message: string; code?: string; stack: string };
  request?: RequestRecord;
};

/**
 * A record as text. A request is one line: when, method, path, status, size, time, user, and the labelled
 * groups `ru` and `db`. Interface: "Changes by release", v1.150.0.
 */
export function asText({ level, time, msg, err, request }: LogRecord): string {
  if (request) return `${time} ${requestText(request)}`;
  return [`${time} ${level.toUpperCase()}`, ...[msg, err?.stack].filter(Boolean)].join(' ');
}

function requestText({ method, path, status, size, time, user, ru, db }: RequestRecord): string {
  const asked = `${method} ${path} ${status} ${size}B ${inMilliseconds(time)} ${user ?? '-'}`;
  const used = `ru=(user=${inMilliseconds(ru.user)}, system=${inMilliseconds(ru.system)})`;
  return `${asked} ${used} db=(statements=${db.statements}, time=${inMilliseconds(db.time)})`;
}

/** Most are next to nothing, and to round those costs more than to see it. */
const inMilliseconds = (value: number) => (value >= 0 && value < 0.05 ? '0.0ms' : `${value.toFixed(1)}ms`);
