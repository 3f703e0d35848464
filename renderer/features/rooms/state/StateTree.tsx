import { i18n } from '@lingui/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { text } from '../../../components/event/read-json.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { clipped } from '../../../words/beginning.ts';
import { number } from '../../../words/format.ts';
import classes from './RoomState.module.css';

// A room's state as a tree that folds: types, and the keys of each.

type StateRow =
  | { kind: 'type'; id: string; type: string; count: number; isOpen: boolean }
  | { kind: 'event'; id: string; type: string; stateKey: string; event: JsonObject };

/** @param find in types, keys and senders; where it is said, every type is open */
export function stateRows(
  state: readonly JsonObject[],
  open: ReadonlySet<string>,
  find: string | undefined,
): StateRow[] {
  const wanted = find?.toLowerCase();
  const byType = new Map<string, JsonObject[]>();
  for (const event of state) {
    const type = text(event.type) ?? '';
    const words = `${type} ${text(event.state_key) ?? ''} ${text(event.sender) ?? ''}`.toLowerCase();
    if (wanted !== undefined && !words.includes(wanted)) continue;
    const ofType = byType.get(type) ?? [];
    ofType.push(event);
    byType.set(type, ofType);
  }
  return [...byType]
    .sort(([one], [other]) => compare(one, other))
    .flatMap(([type, events]): StateRow[] => {
      const isOpen = wanted !== undefined || open.has(type);
      const head: StateRow = { kind: 'type', id: `type ${type}`, type, count: events.length, isOpen };
      if (!isOpen) return [head];
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
  /** The id of the event that is open. */
  current: string | undefined;
  onToggle: (type: string) => void;
  onOpen: (event: JsonObject) => void;
};

/** Types and keys as a tree; of any number only those that show are drawn. */
export function StateTree({ rows, current, onToggle, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<string>();
  const prefix = useId();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
  });
  const found = rows.findIndex(({ id, ...row }) =>
    at === undefined ? 'event' in row && row.event.event_id === current : id === at,
  );
  const index = Math.max(0, found);

  function choose(row: StateRow) {
    setAt(row.id);
    if (row.kind === 'type') onToggle(row.type);
    else onOpen(row.event);
  }

  function move(to: number) {
    const next = Math.min(rows.length - 1, Math.max(0, to));
    const row = rows[next];
    if (!row) return;
    setAt(row.id);
    virtualizer.scrollToIndex(next, { align: 'auto' });
    if (row.kind === 'event') onOpen(row.event);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[index];
    const steps = new Map<string, () => void>([
      ['ArrowDown', () => move(found === -1 ? 0 : index + 1)],
      ['ArrowUp', () => move(index - 1)],
      ['Home', () => move(0)],
      ['End', () => move(rows.length - 1)],
      ['ArrowRight', () => (row?.kind === 'type' && !row.isOpen ? choose(row) : move(index + 1))],
      ['ArrowLeft', () => back(row)],
      ['Enter', () => row && choose(row)],
      [' ', () => row && choose(row)],
    ]);
    const step = steps.get(event.key);
    if (!step) return;
    event.preventDefault();
    step();
  }

  function back(row: StateRow | undefined) {
    if (row?.kind === 'type') {
      if (row.isOpen) choose(row);
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
      aria-activedescendant={found === -1 ? undefined : `${prefix}${index}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={classes.rows} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index: place, start, key }) => {
          const row = rows[place];
          if (!row) return null;
          const isType = row.kind === 'type';
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the tree
            <div
              key={key}
              id={`${prefix}${place}`}
              role="treeitem"
              tabIndex={-1}
              aria-level={isType ? 1 : 2}
              aria-expanded={isType ? row.isOpen : undefined}
              aria-selected={place === found}
              className={classes.row}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              onClick={() => choose(row)}
            >
              {isType ? (
                <>
                  <IconChevronRight size={13} className={classes.chevron} aria-hidden />
                  <span className={classes.text}>
                    <HazardText text={clipped(row.type, 200)} />
                  </span>
                  <span className={classes.count}>{number(row.count)}</span>
                </>
              ) : (
                <span className={classes.key}>
                  {row.stateKey === '' ? (
                    <em>{i18n.t('empty key')}</em>
                  ) : (
                    <HazardText text={clipped(row.stateKey, 255)} />
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
