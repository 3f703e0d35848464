/** The server's log, as it is written. */
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

/** How many lines from before a listener gets. */
export const keptLines = 200;

/**
 * Server-sent events `line`, each with a `LogLine` as its data and its number as its id: the last 200 that the
 * configured level lets through, or those after `Last-Event-ID`, and then each as it is written; a comment every 15 s.
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
