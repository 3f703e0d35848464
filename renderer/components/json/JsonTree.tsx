import { i18n } from '@lingui/core';
import { ActionIcon, TextInput, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import {
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconChevronUp,
  IconCopy,
  IconSearch,
} from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { truncate } from '../../words/clip.ts';
import { VisibleText } from '../HazardText.tsx';
import { Hint } from '../Hint.tsx';
import classes from './JsonViewer.module.css';
import {
  initiallyOpen,
  type JsonNode,
  jsonMatches,
  jsonRows,
  jsonText,
  jsonTree,
  openAncestors,
  pathText,
} from './json-rows.ts';

const rowHeight = 22;

/** Renders JSON as a searchable tree; only the visible rows are mounted. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  const tree = useMemo(() => jsonTree(value), [value]);
  const [open, setOpen] = useState<ReadonlySet<JsonNode>>(() => initiallyOpen(tree));
  const [current, setCurrent] = useState(tree.root);
  const [treeBefore, setTreeBefore] = useState(tree);
  // Nodes belong to one tree: reset them with the value.
  if (tree !== treeBefore) {
    setTreeBefore(tree);
    setOpen(initiallyOpen(tree));
    setCurrent(tree.root);
  }
  const [typed, setTyped] = useState('');
  const clipboard = useClipboard({ timeout: 1500 });
  const scroller = useRef<HTMLDivElement>(null);

  const query = useDeferredValue(typed.trim());
  const matches = useMemo(() => (query ? jsonMatches(tree, query) : []), [tree, query]);
  const matching = useMemo(() => new Set(matches), [matches]);
  const rows = useMemo(() => jsonRows(tree, open), [tree, open]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });

  const position = matches.indexOf(current);

  // Opening a fold may just have added its row.
  useEffect(() => {
    const index = rows.indexOf(current);
    if (index > 0) virtualizer.scrollToIndex(index, { align: 'auto' });
  }, [rows, current, virtualizer]);

  function toggle(node: JsonNode) {
    const next = new Set(open);
    if (!next.delete(node)) next.add(node);
    setOpen(next);
  }

  function visit(steps: 1 | -1) {
    if (matches.length === 0) return;
    const at = position === -1 && steps === -1 ? 0 : position;
    const match = matches[(at + steps + matches.length) % matches.length];
    if (!match) return;
    setOpen(openAncestors(match, open));
    setCurrent(match);
  }

  function onTreeKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = rows.indexOf(current);
    const isOpen = open.has(current);
    const steps = new Map([
      ['ArrowDown', () => setCurrent(rows[index + 1] ?? current)],
      ['ArrowUp', () => setCurrent(rows[index - 1] ?? current)],
      ['ArrowRight', () => (isOpen ? setCurrent(rows[index + 1] ?? current) : toggle(current))],
      ['ArrowLeft', () => (isOpen ? toggle(current) : setCurrent(current.parent ?? current))],
      ['Home', () => setCurrent(tree.root)],
      ['End', () => setCurrent(rows.at(-1) ?? current)],
    ]);
    const step = steps.get(event.key);
    if (!step) return;
    event.preventDefault();
    step();
  }

  return (
    <div className={classes.viewer}>
      <div className={classes.bar}>
        <TextInput
          className={classes.search}
          aria-label={i18n.t('Search {label}', { label })}
          placeholder={i18n.t('Search names and values')}
          variant="unstyled"
          leftSection={<IconSearch size={13} stroke={1.6} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') visit(event.shiftKey ? -1 : 1);
            if (event.key === 'Escape') setTyped('');
          }}
          spellCheck={false}
        />
        {query && (
          <>
            <output className={classes.found}>
              {matches.length === 0 ? i18n.t('No matches') : `${position + 1} of ${matches.length}`}
            </output>
            <ActionIcon onClick={() => visit(-1)} aria-label={i18n.t('Previous match')}>
              <IconChevronUp size={14} />
            </ActionIcon>
            <ActionIcon onClick={() => visit(1)} aria-label={i18n.t('Next match')}>
              <IconChevronDown size={14} />
            </ActionIcon>
          </>
        )}
        <Hint label={i18n.t('Copy all')}>
          <ActionIcon
            onClick={() => clipboard.copy(jsonText(value))}
            aria-label={i18n.t('Copy {label}', { label })}
          >
            {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} stroke={1.6} />}
          </ActionIcon>
        </Hint>
      </div>
      <div
        ref={scroller}
        className={classes.tree}
        role="tree"
        dir="ltr"
        aria-label={label}
        aria-activedescendant={rowElementId(current)}
        tabIndex={0}
        onKeyDown={onTreeKey}
      >
        <div className={classes.rows} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <JsonRow
                  key={row.id}
                  node={row}
                  top={start}
                  open={open.has(row)}
                  current={row === current}
                  match={matching.has(row)}
                  onToggle={() => toggle(row)}
                  onChoose={() => setCurrent(row)}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

type JsonRowProps = {
  node: JsonNode;
  top: number;
  open: boolean;
  current: boolean;
  match: boolean;
  onToggle: () => void;
  onChoose: () => void;
};

/** Deeper rows keep this indent. */
const deepestIndent = 24;
const longestValue = 400;

const rowElementId = ({ id }: JsonNode) => `json-row-${id}`;

function JsonRow({ node, top, open, current, match, onToggle, onChoose }: JsonRowProps) {
  const { name, value, members, depth } = node;
  const clipboard = useClipboard({ timeout: 1200 });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the tree
    <div
      role="treeitem"
      tabIndex={-1}
      id={rowElementId(node)}
      className={classes.row}
      style={{
        transform: `translateY(${top}px)`,
        paddingInlineStart: `${Math.min(depth, deepestIndent) * 14 + 6}px`,
      }}
      aria-level={depth + 1}
      aria-expanded={members === undefined ? undefined : open}
      aria-selected={current}
      data-match={match || undefined}
      onClick={() => {
        onChoose();
        if (members !== undefined) onToggle();
      }}
    >
      <span className={classes.fold} data-open={open || undefined}>
        {members !== undefined && members > 0 && <IconChevronRight size={12} aria-hidden />}
      </span>
      {depth > deepestIndent && <span className={classes.depth}>{depth}</span>}
      {name !== undefined && (
        <span className={typeof name === 'number' ? classes.index : classes.name}>
          <VisibleText text={String(name)} />
          <span className={classes.colon}>:</span>
        </span>
      )}
      <JsonValue value={value} members={members} />
      <span className={classes.copies}>
        {clipboard.copied ? (
          <span className={classes.copied}>{i18n.t('Copied')}</span>
        ) : (
          <>
            {depth > 0 && (
              <UnstyledButton
                tabIndex={-1}
                className={classes.copy}
                onClick={(event) => {
                  event.stopPropagation();
                  clipboard.copy(pathText(node));
                }}
              >
                {i18n.t('Copy path')}
              </UnstyledButton>
            )}
            <UnstyledButton
              tabIndex={-1}
              className={classes.copy}
              onClick={(event) => {
                event.stopPropagation();
                clipboard.copy(typeof value === 'string' ? value : jsonText(value));
              }}
            >
              {i18n.t('Copy value')}
            </UnstyledButton>
          </>
        )}
      </span>
    </div>
  );
}

function JsonValue({ value, members }: { value: unknown; members: number | undefined }) {
  if (members !== undefined) {
    const [opening, closing] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    return (
      <span className={classes.summary}>
        {members === 0 ? `${opening}${closing}` : `${opening} ${members} ${closing}`}
      </span>
    );
  }
  if (typeof value === 'string') {
    const shown = JSON.stringify(truncate(value, longestValue)).slice(0, -1);
    return (
      <span className={classes.string} title={shown.slice(1)}>
        <VisibleText text={shown} />
        {value.length > longestValue
          ? i18n.t('{count, plural, one {… # character} other {… # characters}}', { count: value.length })
          : '"'}
      </span>
    );
  }
  return (
    <span className={typeof value === 'number' ? classes.numeric : classes.constant}>{String(value)}</span>
  );
}
