/**
 * The log: what is said to whoever operates the server, a line of text or of JSON for each thing. One logger
 * is made at the start and handed to whoever has something to say.
 */
import { pino } from 'pino';
import type { Clock } from './clock.ts';
import { withoutSecrets } from './log-secrets.ts';
import { asText, type LogRecord } from './log-text.ts';

export type LogConfig = {
  /** The least that is worth a line; `info` has a line for each request. */
  level: 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  format: 'text' | 'json';
};

/** What a feature needs of the logger: the error that it met goes into `err`. */
export type Log = Pick<pino.Logger, 'error' | 'warn' | 'info'>;

/** @param write gets each line, without an end of line; without it they go to standard error */
export function createLog(
  { level, format }: LogConfig,
  clock: Clock,
  write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): pino.Logger {
  const stream = {
    write: (line: string) =>
      write(format === 'json' ? line.trimEnd() : asText(JSON.parse(line) as LogRecord)),
  };
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${timeOf(clock)}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: plainError },
      hooks: {
        streamWrite: withoutSecrets,
        logMethod(args, method, number) {
          const { request } = args[0] as Partial<LogRecord>;
          if (format === 'json' || !request) return method.apply(this, args);
          // There is one for each request: as text it needs no JSON on the way, and secrets are not in it any more.
          write(asText({ level: pino.levels.labels[number] ?? '', time: timeOf(clock), request }));
        },
      },
    },
    stream,
  );
}

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
  // With the stacks of what caused it.
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as NodeJS.ErrnoException;
  return { type, message, ...(typeof code === 'string' && { code }), stack };
}
