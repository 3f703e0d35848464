/** Level and format of the log. */
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { LogConfig } from '../core/log.ts';
import { ConfigurationError } from './configuration-error.ts';
import { readRegularFile } from './named-file.ts';
import { section } from './section.ts';

export const log = section(
  {
    log_config: Type.Optional(
      Type.String({
        description:
          "Python logging configuration, relative to this file. Gatehouse reads the level of `root` (default `INFO`) and logs JSON if a handler's formatter class ends in `JsonFormatter`",
      }),
    ),
  },
  async ({ log_config: name }, { configDir, warn }): Promise<{ log: LogConfig }> => {
    const standard: LogConfig = { level: 'info', format: 'text' };
    if (name === undefined) return { log: standard };
    const content = await readRegularFile(resolve(configDir, name)).catch((error: NodeJS.ErrnoException) => {
      warn(`log_config: can't read the file (${error.code}); using the default logging configuration`);
      return '';
    });
    const { parse } = await import('yaml');
    return { log: logConfig(parse(content.toString()) ?? {}, warn) };
  },
);

const levels: Record<string, LogConfig['level']> = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'fatal',
};

const Written = Type.Object({
  root: Type.Optional(Type.Object({ level: Type.Optional(Type.String()) })),
  handlers: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({ class: Type.Optional(Type.String()), formatter: Type.Optional(Type.String()) }),
    ),
  ),
  formatters: Type.Optional(Type.Record(Type.String(), Type.Object({ class: Type.Optional(Type.String()) }))),
});

/** @throws ConfigurationError for an invalid file or an unknown level */
function logConfig(written: unknown, warn: (line: string) => void): LogConfig {
  if (!Value.Check(Written, written)) {
    throw new ConfigurationError(
      'log_config',
      "the file isn't a logging configuration",
      'see log_config in docs/configuration.md',
    );
  }
  const { root, handlers = {}, formatters = {} } = written;
  const level = levels[root?.level?.toUpperCase() ?? 'INFO'];
  if (level === undefined) {
    throw new ConfigurationError(
      'log_config',
      "the file's root.level is invalid",
      `use one of ${Object.keys(levels).join(', ')}`,
    );
  }
  if (Object.values(handlers).some((handler) => /file/i.test(handler.class ?? ''))) {
    warn('log_config: log files are not supported; logging to standard error');
  }
  const used = Object.values(handlers).map(({ formatter = '' }) => formatters[formatter]?.class ?? '');
  return { level, format: used.some((name) => name.endsWith('JsonFormatter')) ? 'json' : 'text' };
}
