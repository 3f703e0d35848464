import { i18n } from '@lingui/core';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { fits } from '../../../../shared/fits.ts';
import { readJson } from '../../../../shared/read-json.ts';
import { getLog, type LogLevel, LogLine, logLevels } from '../../../../shared/workbench/log.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { VisibleText } from '../../../components/HazardText.tsx';
import { failureSentence } from '../../../transport/refusal.ts';
import { truncate } from '../../../words/clip.ts';
import { clockWithSeconds } from '../../../words/format.ts';
import { type StreamState, useEventStream } from '../use-event-stream.ts';
import { useWorkbench } from '../workbench-context.ts';
import classes from './Requests.module.css';

const maxLines = 400;
/** In characters. */
const maxLineLength = 4_000;

type Props = {
  level: LogLevel;
  onLevel: (level: LogLevel) => void;
  /** Includes lines caused by this console. */
  own: boolean;
};

export function LogPane({ level, onLevel, own }: Props) {
  const { connection, get } = useWorkbench();
  const { data } = useQuery({
    queryKey: [connection.id, 'workbench', 'log'],
    queryFn: ({ signal }) => get(getLog.response[200], workbenchPaths.log, signal),
  });
  const configuredLevel = data?.level;
  const minIndex = configuredLevel ? logLevels.indexOf(configuredLevel) : 0;
  return (
    <section className={classes.log} aria-label={i18n.t('Log')}>
      <div className={classes.logBar}>
        <h2 className={classes.logTitle}>{i18n.t('Log')}</h2>
        <NativeSelect
          size="xs"
          aria-label={i18n.t('Minimum level')}
          value={level}
          onChange={(event) => onLevel(event.currentTarget.value as LogLevel)}
          data={logLevels.filter((value, index) => value === level || index >= minIndex)}
        />
        {configuredLevel && (
          <span className={classes.logNote}>
            {i18n.t('Logs {level} and above (set in log_config).', {
              level: configuredLevel,
            })}
          </span>
        )}
      </div>
      <LogLines key={`${level} ${own}`} level={level} own={own} />
    </section>
  );
}

function LogLines({ level, own }: Pick<Props, 'level' | 'own'>) {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const list = useRef<HTMLElement>(null);
  const stream = useEventStream(
    `log ${level}`,
    () => `${workbenchPaths.logStream}?level=${level}&own=${own}`,
    (data) => {
      const received = data.map((text) => readJson(text)).filter(isLine);
      setLines((before) => {
        const knownKeys = new Set(before.map(keyOf));
        return [...before, ...received.filter((line) => !knownKeys.has(keyOf(line)))].slice(-maxLines);
      });
    },
  );

  // Follows new lines while scrolled to the end.
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when lines arrive
  useEffect(() => {
    const element = list.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines]);

  return (
    <>
      <StreamStatus stream={stream} />
      <section
        ref={list}
        className={classes.logScroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard
        tabIndex={0}
        aria-label={i18n.t('Log lines')}
        dir="ltr"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
        }}
      >
        <ol className={classes.lines}>
          {lines.length === 0 && stream.status !== 'lost' && <li>{i18n.t('No lines at this level')}</li>}
          {lines.map((line, index) => (
            <li key={keyOf(line)} className={classes.line} data-level={line.level}>
              {line.number <= (lines[index - 1]?.number ?? 0) && (
                <p className={`${classes.restart} ${classes.gap}`}>{i18n.t('Server restarted')}</p>
              )}
              <time dateTime={line.time}>{clockWithSeconds(Date.parse(line.time))}</time>
              <span className={classes.level}>{line.level}</span>
              <span>
                <VisibleText text={truncate(messageOf(line), maxLineLength)} />
              </span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

/** Returns the text without time and level, which have their own columns. */
function messageOf({ time, level, text }: LogLine): string {
  const rest = text.startsWith(`${time} `) ? text.slice(time.length + 1) : text;
  const prefix = `${level.toUpperCase()} `;
  return rest !== text && rest.startsWith(prefix) ? rest.slice(prefix.length) : rest;
}

/** Line numbers start from 1 again when the server restarts. */
const keyOf = ({ number, time }: LogLine) => `${number} ${time}`;

const isLine = (value: unknown): value is LogLine => fits(LogLine, value);

/** Shown while a stream is disconnected. */
export function StreamStatus({ stream }: { stream: StreamState }) {
  if (stream.status !== 'lost') return null;
  return (
    <p className={`${classes.note} ${classes.lost}`} role="status">
      {stream.error
        ? `${failureSentence(stream.error)} ${i18n.t('Retrying automatically…')}`
        : i18n.t('Connection closed. Reconnecting…')}
    </p>
  );
}
