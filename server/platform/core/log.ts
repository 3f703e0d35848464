import { pino } from 'pino';
import { readJson } from '../../../shared/read-json.ts';
import type { Clock } from './clock.ts';
import { createRedactor } from './redactor.ts';

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

type LogRecord = {
  level: string;
  /** ISO 8601. */
  time: string;
  msg?: string;
  err?: { type: string; message: string; code?: string; stack: string };
  request?: RequestRecord;
};

/**
 * A record as text. A request is one line: when, method, path, status, size, time, user, and the labelled
 * groups `ru` and `db`.
 */
function asText({ level, time, msg, err, request }: LogRecord): string {
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

/**
 * The log: what is said to whoever operates the server, a line of text or of JSON for each thing. One logger
 * is made at the start and handed to whoever has something to say.
 */

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export type LogConfig = {
  /** The least that is worth a line; `info` has a line for each request. */
  level: LogLevel;
  format: 'text' | 'json';
};

/** What a feature needs of the logger: the error that it met goes into `err`. */
export type Log = Pick<pino.Logger, 'error' | 'warn' | 'info'>;

/** Gets each line, without an end of line. */
export type WriteLine = (line: string, level: LogLevel) => void;

/** What a program writes of a server that it runs: what somebody should do something about. */
export const warningsToStandardError: WriteLine = (line, level) => {
  if (level !== 'debug' && level !== 'info') process.stderr.write(`${line}\n`);
};

/** @param write without it lines go to standard error */
export function createLog(
  { level, format }: LogConfig,
  clock: Clock,
  write: WriteLine = (line) => process.stderr.write(`${line}\n`),
): pino.Logger {
  const stream = {
    [pino.symbols.needsMetadataGsym]: true as const,
    lastLevel: 0,
    write(line: string) {
      write(
        format === 'json' ? line.trimEnd() : asText(readJson(line) as LogRecord),
        labelOf(this.lastLevel),
      );
    },
  };
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${timeOf(clock)}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: plainError },
      hooks: {
        streamWrite: redactLine,
        logMethod(args, method, number) {
          const { request, err } = args[0] as {
            request?: LogRecord['request'];
            err?: { alreadyLogged?: boolean };
          };
          if (err?.alreadyLogged) return;
          if (format === 'json' || !request) return method.apply(this, args);
          // There is one for each request: as text it needs no JSON on the way, and secrets are not in it any more.
          write(asText({ level: labelOf(number), time: timeOf(clock), request }), labelOf(number));
        },
      },
    },
    stream,
  );
}

const labelOf = (level: number) => (pino.levels.labels[level] ?? 'info') as LogLevel;

const redactor = createRedactor();

/** Redacts the parsed texts of a line: in JSON as written a secret's end could be half an escape. */
const redactLine = (line: string) =>
  `${JSON.stringify(readJson(line), (_key, value) => (typeof value === 'string' ? redactor.text(value) : value))}\n`;

/** The time as ISO 8601, made once for each millisecond. */
function timeOf(clock: Clock): string {
  const now = clock.now();
  if (now !== told.now) told = { now, text: new Date(now).toISOString() };
  return told.text;
}

let told = { now: Number.NaN, text: '' };

/** An error without the rest of what drivers hang onto it: values of the row that it is about, for one. */
function plainError(error: unknown): LogRecord['err'] {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: String(error) };
  const { code, hidesStack } = error as NodeJS.ErrnoException & { hidesStack?: boolean };
  // With the stacks of what caused it.
  const { type, ...told } = pino.stdSerializers.err(error);
  // Where in the program it was met helps nobody with what is outside of it.
  const { message, stack } = hidesStack ? { message: error.message, stack: error.message } : told;
  return { type, message, ...(typeof code === 'string' && { code }), stack };
}
