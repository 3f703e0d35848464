import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { VisibleText } from '../../../components/HazardText.tsx';
import { useCommands } from '../../../console-context.ts';
import { truncate } from '../../../words/clip.ts';
import { clockWithSeconds, number } from '../../../words/format.ts';
import classes from './Requests.module.css';

const rowHeight = 28;
const headHeight = 28;
/** Bounds each part of a path, in characters; the detail shows all of it. */
const maxPartLength = 300;
/** If the last two segments are longer than this, only the last one is the path's end. */
const maxEndLength = 40;

type Props = {
  /** Newest first. */
  requests: readonly InspectedRequest[];
  current: number | undefined;
  /** Hides most columns, beside an open request. */
  narrow: boolean;
  onOpen: (request: InspectedRequest) => void;
};

/** Virtual table of requests. */
export function RequestTable({ requests, current, narrow, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: requests.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => requests[index]?.number ?? index,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 12,
  });
  const currentIndex = requests.findIndex((request) => request.number === current);

  // Keeps the visible rows in place when requests are added at the top.
  const newest = useRef(requests[0]?.number);
  useEffect(() => {
    const before = newest.current;
    newest.current = requests[0]?.number;
    const element = scroller.current;
    if (!element || before === undefined || element.scrollTop === 0) return;
    const addedCount = requests.findIndex((request) => request.number <= before);
    if (addedCount > 0) element.scrollTop += addedCount * rowHeight;
  }, [requests]);

  function move(to: number) {
    const index = Math.min(requests.length - 1, Math.max(0, to));
    const request = requests[index];
    if (!request) return;
    onOpen(request);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  }
  const step = (by: 1 | -1) => () => move(currentIndex === -1 ? 0 : currentIndex + by);
  const group = i18n.t('Requests');
  useCommands([
    {
      id: 'next request',
      label: i18n.t('Next request'),
      group,
      keys: ['j', 'ArrowDown'],
      repeats: true,
      keyboardOnly: true,
      run: step(1),
    },
    {
      id: 'previous request',
      label: i18n.t('Previous request'),
      group,
      keys: ['k', 'ArrowUp'],
      repeats: true,
      keyboardOnly: true,
      run: step(-1),
    },
  ]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = new Map<string, () => void>([
      ['ArrowDown', step(1)],
      ['ArrowUp', step(-1)],
      ['Home', () => move(0)],
      ['End', () => move(requests.length - 1)],
    ]);
    const run = keys.get(event.key);
    if (!run) return;
    event.preventDefault();
    run();
  }

  return (
    <section
      ref={scroller}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard
      tabIndex={0}
      aria-label={i18n.t('Requests')}
      onKeyDown={onKeyDown}
    >
      <table
        className={classes.table}
        data-narrow={narrow || undefined}
        aria-label={i18n.t('Requests')}
        aria-rowcount={requests.length + 1}
        style={{ height: virtualizer.getTotalSize() }}
      >
        <thead className={classes.top}>
          <tr className={classes.head} aria-rowindex={1}>
            <th scope="col" data-wide>
              {i18n.t('Time')}
            </th>
            <th scope="col">{i18n.t('Method')}</th>
            <th scope="col">{i18n.t('Path')}</th>
            <th scope="col">{i18n.t('Status')}</th>
            <th scope="col" className={classes.figure} data-wide>
              {i18n.t('Duration')}
            </th>
            <th
              scope="col"
              className={classes.figure}
              data-wide
              data-rest
              title={i18n.t('Database statements')}
            >
              {i18n.t('SQL')}
            </th>
            <th scope="col" data-wide data-rest>
              {i18n.t('User')}
            </th>
          </tr>
        </thead>
        <tbody className={classes.rows}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const request = requests[index];
            return (
              request && (
                <Row
                  key={request.number}
                  index={index + 2}
                  top={start}
                  request={request}
                  open={request.number === current}
                  onOpen={onOpen}
                />
              )
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = {
  index: number;
  top: number;
  request: InspectedRequest;
  open: boolean;
  onOpen: (request: InspectedRequest) => void;
};

function Row({ index, top, request, open, onOpen }: RowProps) {
  const { received_ts, method, path, reply, ms, database, user_id } = request;
  return (
    <tr
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={index}
      data-open={open || undefined}
      onClick={() => onOpen(request)}
    >
      <td data-wide>{clockWithSeconds(received_ts)}</td>
      <td className={`${classes.cell} ${classes.code}`}>
        <VisibleText text={truncate(method, 20)} />
      </td>
      <td className={`${classes.cell} ${classes.code}`} dir="ltr" title={truncate(path, 2000)}>
        <UnstyledButton
          className={classes.pathButton ?? ''}
          // The table handles the arrow keys.
          tabIndex={-1}
          aria-current={open}
          onClick={() => onOpen(request)}
        >
          <Path path={path} />
        </UnstyledButton>
      </td>
      <td className={classes.status} data-class={Math.floor(reply.status / 100)}>
        {reply.status}
      </td>
      <td className={classes.figure} data-wide>
        {i18n.t('{ms} ms', { ms: number(Math.round(ms * 10) / 10) })}
      </td>
      <td className={classes.figure} data-wide data-rest>
        {number(database.statements)}
      </td>
      <td className={classes.cell} data-wide data-rest>
        <VisibleText text={user_id ?? ''} />
      </td>
    </tr>
  );
}

/** A path that, when narrow, loses its query first and then its start, which most paths share. */
function Path({ path }: { path: string }) {
  const queryStart = path.includes('?') ? path.indexOf('?') : path.length;
  const pathname = path.slice(0, queryStart);
  const [lastSlash, secondLastSlash] = [
    pathname.lastIndexOf('/'),
    pathname.lastIndexOf('/', pathname.lastIndexOf('/') - 1),
  ];
  const isShort = secondLastSlash >= 0 && pathname.length - secondLastSlash <= maxEndLength;
  const endStart = Math.max(0, isShort ? secondLastSlash : lastSlash);
  return (
    <>
      <span className={classes.pathStart}>
        <VisibleText text={truncate(pathname.slice(0, endStart), maxPartLength)} />
      </span>
      <span className={classes.pathEnd}>
        <VisibleText text={truncate(pathname.slice(endStart), maxPartLength)} />
      </span>
      <span className={classes.query}>
        <VisibleText text={truncate(path.slice(queryStart), maxPartLength)} />
      </span>
    </>
  );
}
