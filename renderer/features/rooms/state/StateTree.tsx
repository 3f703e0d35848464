import { i18n } from '@lingui/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { text } from '../../../components/event/read-json.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { ellipsize } from '../../../words/clip.ts';
import { number } from '../../../words/format.ts';
import classes from './RoomState.module.css';

type StateRow =
  | { kind: 'type'; id: string; type: string; count: number; isExpanded: boolean; only?: JsonObject }
  | { kind: 'event'; id: string; type: string; stateKey: string; event: JsonObject };

/**
 * Returns the visible rows: event types, and the state keys of expanded ones.
 *
 * @param find text in types, keys or senders; expands all matching types
 */
export function stateRows(
  state: readonly JsonObject[],
  expanded: ReadonlySet<string>,
  find: string | undefined,
): StateRow[] {
  const needle = find?.toLowerCase();
  const byType = new Map<string, JsonObject[]>();
  for (const event of state) {
    const type = text(event.type) ?? '';
    const haystack = `${type} ${text(event.state_key) ?? ''} ${text(event.sender) ?? ''}`.toLowerCase();
    if (needle !== undefined && !haystack.includes(needle)) continue;
    const events = byType.get(type) ?? [];
    events.push(event);
    byType.set(type, events);
  }
  return [...byType]
    .sort(([one], [other]) => compare(one, other))
    .flatMap(([type, events]): StateRow[] => {
      const isExpanded = needle !== undefined || expanded.has(type);
      const [only] = events.length === 1 ? events : [];
      const head: StateRow = {
        kind: 'type',
        id: `type ${type}`,
        type,
        count: events.length,
        isExpanded,
        ...(only && { only }),
      };
      if (!isExpanded) return [head];
      const rows = events
        .map((event): StateRow & { kind: 'event' } => ({
          kind: 'event',
          id: `event ${type} ${text(event.state_key) ?? ''}`,
          type,
          stateKey: text(event.state_key) ?? '',
          event,
        }))
        .sort((one, other) => compare(one.stateKey, other.stateKey));
      return [head, ...rows];
    });
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

const rowHeight = 28;

type Props = {
  rows: readonly StateRow[];
  openId: string | undefined;
  onToggle: (type: string) => void;
  onOpen: (event: JsonObject) => void;
};

/** Virtual tree of event types and state keys. */
export function StateTree({ rows, openId, onToggle, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string>();
  const prefix = useId();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
  });
  const activeIndex = rows.findIndex(({ id, ...row }) =>
    activeId === undefined ? 'event' in row && row.event.event_id === openId : id === activeId,
  );
  const current = Math.max(0, activeIndex);

  function activate(row: StateRow) {
    setActiveId(row.id);
    if (row.kind === 'event') return onOpen(row.event);
    onToggle(row.type);
    // Nothing to choose from.
    if (row.only && !row.isExpanded) onOpen(row.only);
  }

  function move(to: number) {
    const next = Math.min(rows.length - 1, Math.max(0, to));
    const row = rows[next];
    if (!row) return;
    setActiveId(row.id);
    virtualizer.scrollToIndex(next, { align: 'auto' });
    if (row.kind === 'event') onOpen(row.event);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[current];
    const keys = new Map<string, () => void>([
      ['ArrowDown', () => move(activeIndex === -1 ? 0 : current + 1)],
      ['ArrowUp', () => move(current - 1)],
      ['Home', () => move(0)],
      ['End', () => move(rows.length - 1)],
      ['ArrowRight', () => (row?.kind === 'type' && !row.isExpanded ? activate(row) : move(current + 1))],
      ['ArrowLeft', () => collapse(row)],
      ['Enter', () => row && activate(row)],
      [' ', () => row && activate(row)],
    ]);
    const run = keys.get(event.key);
    if (!run) return;
    event.preventDefault();
    run();
  }

  function collapse(row: StateRow | undefined) {
    if (row?.kind === 'type') {
      if (row.isExpanded) activate(row);
    } else if (row) {
      move(rows.findIndex(({ id }) => id === `type ${row.type}`));
    }
  }

  return (
    <div
      ref={scroller}
      className={classes.tree}
      role="tree"
      aria-label={i18n.t('State')}
      aria-activedescendant={activeIndex === -1 ? undefined : `${prefix}${activeIndex}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={classes.rows} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          const isType = row.kind === 'type';
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the tree
            <div
              key={key}
              id={`${prefix}${index}`}
              role="treeitem"
              tabIndex={-1}
              aria-level={isType ? 1 : 2}
              aria-expanded={isType ? row.isExpanded : undefined}
              aria-selected={index === activeIndex}
              className={classes.row}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              onClick={() => activate(row)}
            >
              {isType ? (
                <>
                  <IconChevronRight size={13} className={classes.chevron} aria-hidden />
                  <span className={classes.text}>
                    <HazardText text={ellipsize(row.type, 200)} />
                  </span>
                  <span className={classes.count}>{number(row.count)}</span>
                </>
              ) : (
                <span className={classes.key}>
                  {row.stateKey === '' ? (
                    <em>{i18n.t('empty key')}</em>
                  ) : (
                    <HazardText text={ellipsize(row.stateKey, 255)} />
                  )}
                </span>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
