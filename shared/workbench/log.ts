/** The server's log, live. */
import { type Static, Type } from 'typebox';
import { failures } from '../api/common.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof logLevels)[number];

export const LogLine = Type.Object({
  number: Type.Integer({ description: 'Sequence number from 1' }),
  level: Type.Enum([...logLevels]),
  time: Type.String({ description: 'ISO 8601, in UTC' }),
  text: Type.String({ description: 'Complete line as text, without secrets; errors with stack' }),
});
export type LogLine = Static<typeof LogLine>;

/** The log level, from `log_config`; default `info`, which includes requests. */
export const getLog = {
  response: { 200: Type.Object({ level: Type.Enum([...logLevels]) }), ...failures },
};

/** Number of earlier lines that a new reader gets. */
export const keptLines = 200;

/**
 * Server-sent events `line`: `data` is a `LogLine`, `id` its number; a comment every 15 s. Begins with the last 200 lines at
 * the configured level, or after `Last-Event-ID`.
 */
export const streamLog = {
  querystring: Type.Object({
    level: Type.Optional(Type.Enum([...logLevels], { description: 'Minimum level' })),
    own: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Include requests of the calling session and program',
      }),
    ),
  }),
};
