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
import { beginning } from '../../../words/beginning.ts';
import { clockWithSeconds } from '../../../words/format.ts';
import { useBench } from '../bench.ts';
import { type StreamState, useEventStream } from '../use-event-stream.ts';
import classes from './Requests.module.css';

/** So many lines are kept here, and so much of each. */
const mostLines = 400;
const longestLine = 4_000;

type Props = {
  level: LogLevel;
  onLevel: (level: LogLevel) => void;
  /** Whether the lines of what this console asks are among them. */
  own: boolean;
};

/** The server's log as it is written, from a level on. */
export function LogPane({ level, onLevel, own }: Props) {
  const { connection, get } = useBench();
  const { data } = useQuery({
    queryKey: [connection.id, 'workbench', 'log'],
    queryFn: ({ signal }) => get(getLog.response[200], workbenchPaths.log, signal),
  });
  const written = data?.level;
  const least = written ? logLevels.indexOf(written) : 0;
  return (
    <section className={classes.log} aria-label={i18n.t('Log')}>
      <div className={classes.logBar}>
        <h2 className={classes.logTitle}>{i18n.t('Log')}</h2>
        <NativeSelect
          size="xs"
          aria-label={i18n.t('Minimum level')}
          value={level}
          onChange={(event) => onLevel(event.currentTarget.value as LogLevel)}
          data={logLevels.filter((each) => each === level || logLevels.indexOf(each) >= least)}
        />
        {written && (
          <span className={classes.written}>
            {i18n.t('Logs {level} and above (set in log_config).', {
              level: written,
            })}
          </span>
        )}
      </div>
      <Lines key={`${level} ${own}`} level={level} own={own} />
    </section>
  );
}

function Lines({ level, own }: Pick<Props, 'level' | 'own'>) {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const list = useRef<HTMLElement>(null);
  const stream = useEventStream(
    `log ${level}`,
    () => `${workbenchPaths.logStream}?level=${level}&own=${own}`,
    (data) => {
      const came = data.map((text) => readJson(text)).filter(isLine);
      setLines((before) => {
        const known = new Set(before.map(keyOf));
        return [...before, ...came.filter((line) => !known.has(keyOf(line)))].slice(-mostLines);
      });
    },
  );

  // It follows the end for as long as one looks there.
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are what moves it
  useEffect(() => {
    const element = list.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines]);

  return (
    <>
      <StreamNote stream={stream} />
      <section
        ref={list}
        className={classes.scrolled}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key
        tabIndex={0}
        aria-label={i18n.t('Log lines')}
        dir="ltr"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          atEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
        }}
      >
        <ol className={classes.lines}>
          {lines.length === 0 && stream.status !== 'lost' && <li>{i18n.t('No lines at this level')}</li>}
          {lines.map((line, index) => (
            <li key={keyOf(line)} className={classes.line} data-level={line.level}>
              {line.number <= (lines[index - 1]?.number ?? 0) && (
                <p className={`${classes.anew} ${classes.gap}`}>{i18n.t('Server restarted')}</p>
              )}
              <time dateTime={line.time}>{clockWithSeconds(Date.parse(line.time))}</time>
              <span className={classes.level}>{line.level}</span>
              <span>
                <VisibleText text={beginning(saidOnce(line), longestLine)} />
              </span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

/** A line of text begins with its time and its level, which have columns of their own here. */
function saidOnce({ time, level, text }: LogLine): string {
  const rest = text.startsWith(`${time} `) ? text.slice(time.length + 1) : text;
  const word = `${level.toUpperCase()} `;
  return rest !== text && rest.startsWith(word) ? rest.slice(word.length) : rest;
}

/** A server that was started anew counts from 1 again. */
const keyOf = ({ number, time }: LogLine) => `${number} ${time}`;

const isLine = (value: unknown): value is LogLine => fits(LogLine, value);

/** Said while what is followed has broken off; it is taken up again by itself. */
export function StreamNote({ stream }: { stream: StreamState }) {
  if (stream.status !== 'lost') return null;
  return (
    <p className={`${classes.note} ${classes.lost}`} role="status">
      {stream.error
        ? `${failureSentence(stream.error)} ${i18n.t('Retrying automatically…')}`
        : i18n.t('Connection closed. Reconnecting…')}
    </p>
  );
}
