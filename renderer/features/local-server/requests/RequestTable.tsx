import { i18n } from '@lingui/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { VisibleText } from '../../../components/HazardText.tsx';
import { useCommands } from '../../../console-context.ts';
import { number } from '../../../words/format.ts';
import { clockWithSeconds } from '../clock.ts';
import classes from './Requests.module.css';

const rowHeight = 28;
const headHeight = 28;
/** A path can be as long as a request may be; the whole is in the detail. */
const longestPath = 300;

type Props = {
  /** The newest first. */
  requests: readonly InspectedRequest[];
  current: number | undefined;
  /** Beside one that is open there is less room. */
  narrow: boolean;
  onOpen: (request: InspectedRequest) => void;
};

/** Requests as they flow by; of any number only those that show are drawn. */
export function RequestTable({ requests, current, narrow, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const virtualizer = useVirtualizer({
    count: requests.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => requests[index]?.number ?? index,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 12,
  });
  const at = requests.findIndex((request) => request.number === current);

  // Whoever looks further down stays there while new ones come in at the top.
  const newest = useRef(requests[0]?.number);
  useEffect(() => {
    const before = newest.current;
    newest.current = requests[0]?.number;
    const element = scroller.current;
    if (!element || before === undefined || element.scrollTop === 0) return;
    const came = requests.findIndex((request) => request.number <= before);
    if (came > 0) element.scrollTop += came * rowHeight;
  }, [requests]);

  function move(to: number) {
    const index = Math.min(requests.length - 1, Math.max(0, to));
    const request = requests[index];
    if (!request) return;
    onOpen(request);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  }
  const step = (by: 1 | -1) => () => move(at === -1 ? 0 : at + by);
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
    const steps = new Map<string, () => void>([
      ['ArrowDown', step(1)],
      ['ArrowUp', step(-1)],
      ['Home', () => move(0)],
      ['End', () => move(requests.length - 1)],
    ]);
    const go = steps.get(event.key);
    if (!go) return;
    event.preventDefault();
    go();
  }

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label={i18n.t('Requests')}
      aria-rowcount={requests.length + 1}
      aria-activedescendant={at === -1 ? undefined : `${prefix}-${current}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div
        className={classes.table}
        role="rowgroup"
        data-narrow={narrow || undefined}
        style={{ height: virtualizer.getTotalSize() }}
      >
        <div className={classes.head} role="row" aria-rowindex={1}>
          <span role="columnheader" data-wide>
            {i18n.t('Time')}
          </span>
          <span role="columnheader">{i18n.t('Method')}</span>
          <span role="columnheader">{i18n.t('Path')}</span>
          <span role="columnheader">{i18n.t('Status')}</span>
          <span role="columnheader" className={classes.figure} data-wide>
            {i18n.t('Took')}
          </span>
          <span role="columnheader" className={classes.figure} data-wide title={i18n.t('Database statements')}>
            {i18n.t('SQL')}
          </span>
          <span role="columnheader" data-wide>
            {i18n.t('User')}
          </span>
        </div>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const request = requests[index];
          return (
            request && (
              <Row
                key={request.number}
                id={`${prefix}-${request.number}`}
                index={index + 2}
                top={start}
                request={request}
                selected={request.number === current}
                onOpen={onOpen}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

type RowProps = {
  id: string;
  index: number;
  top: number;
  request: InspectedRequest;
  selected: boolean;
  onOpen: (request: InspectedRequest) => void;
};

function Row({ id, index, top, request, selected, onOpen }: RowProps) {
  const { received_ts, method, path, reply, ms, database, user_id } = request;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the grid
    <div
      id={id}
      role="row"
      tabIndex={-1}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={index}
      aria-selected={selected}
      onClick={() => onOpen(request)}
    >
      <span role="gridcell" data-wide>
        {clockWithSeconds(received_ts)}
      </span>
      <span role="gridcell" className={`${classes.cell} ${classes.code}`}>
        <VisibleText text={method.slice(0, 20)} />
      </span>
      <span role="gridcell" className={`${classes.cell} ${classes.code}`} dir="ltr" title={path.slice(0, 2000)}>
        <VisibleText text={path.slice(0, longestPath)} />
      </span>
      <span role="gridcell" className={classes.status} data-class={Math.floor(reply.status / 100)}>
        {reply.status}
      </span>
      <span role="gridcell" className={classes.figure} data-wide>
        {i18n.t('{ms} ms', { ms: number(Math.round(ms * 10) / 10) })}
      </span>
      <span role="gridcell" className={classes.figure} data-wide>
        {number(database.statements)}
      </span>
      <span role="gridcell" className={classes.cell} data-wide>
        <VisibleText text={user_id ?? ''} />
      </span>
    </div>
  );
}
