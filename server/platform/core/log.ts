/** The server's log, as lines of text or JSON. */
import { pino } from 'pino';
import { readJson } from '../../../shared/read-json.ts';
import type { Clock } from './clock.ts';
import { createRedactor } from './redactor.ts';

/** A completed request. Sizes are in bytes, times in milliseconds. */
export type RequestRecord = {
  method: string;
  /** With the query, without secrets. */
  path: string;
  status: number;
  size: number;
  time: number;
  user: string | null;
  /** CPU time of the main thread during the request. */
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

/** A request is one line: timestamp, method, path, status, size, time, user, and the groups `ru` and `db`. */
function asText({ level, time, msg, err, request }: LogRecord): string {
  if (request) return `${time} ${requestText(request)}`;
  return [`${time} ${level.toUpperCase()}`, ...[msg, err?.stack].filter(Boolean)].join(' ');
}

function requestText({ method, path, status, size, time, user, ru, db }: RequestRecord): string {
  const summary = `${method} ${path} ${status} ${size}B ${inMilliseconds(time)} ${user ?? '-'}`;
  const usage = `ru=(user=${inMilliseconds(ru.user)}, system=${inMilliseconds(ru.system)})`;
  return `${summary} ${usage} db=(statements=${db.statements}, time=${inMilliseconds(db.time)})`;
}

const inMilliseconds = (value: number) => `${value.toFixed(1)}ms`;

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export type LogConfig = {
  /** The minimum. `info` includes requests. */
  level: LogLevel;
  format: 'text' | 'json';
};

/** Pass errors as `err`. */
export type Log = Pick<pino.Logger, 'error' | 'warn' | 'info'>;

/** Receives each line, without a line break. */
export type WriteLine = (line: string, level: LogLevel) => void;

/** Writes warnings and errors only, for a program that runs a server. */
export const warningsToStandardError: WriteLine = (line, level) => {
  if (level !== 'debug' && level !== 'info') process.stderr.write(`${line}\n`);
};

/** @param write by default, writes to standard error */
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
          // Skips serializing and redacting requests, which are frequent and already redacted.
          write(asText({ level: labelOf(number), time: timeOf(clock), request }), labelOf(number));
        },
      },
    },
    stream,
  );
}

const labelOf = (level: number) => (pino.levels.labels[level] ?? 'info') as LogLevel;

const redactor = createRedactor();

/** Redacts parsed strings, because JSON escapes could hide the end of a secret. */
const redactLine = (line: string) =>
  `${JSON.stringify(readJson(line), (_key, value) => (typeof value === 'string' ? redactor.text(value) : value))}\n`;

const timeOf = (clock: Clock) => new Date(clock.now()).toISOString();

/** Returns an error without the properties that drivers add, such as values of rows. */
function plainError(error: unknown): LogRecord['err'] {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: String(error) };
  const { code, hidesStack } = error as NodeJS.ErrnoException & { hidesStack?: boolean };
  // Includes the stacks of its causes.
  const { type, ...serialized } = pino.stdSerializers.err(error);
  // The stack doesn't help with errors outside of the program.
  const { message, stack } = hidesStack ? { message: error.message, stack: error.message } : serialized;
  return { type, message, ...(typeof code === 'string' && { code }), stack };
}
