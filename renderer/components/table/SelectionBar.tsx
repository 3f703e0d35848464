import { i18n } from '@lingui/core';
import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useContext, useEffect } from 'react';
import { useCommands } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { number } from '../../words/format.ts';
import { Hint } from '../Hint.tsx';
import classes from './ListScreen.module.css';
import type { RowSelection, WideSelection } from './selection.ts';
import { TellSelecting } from './selection.ts';

type Props = {
  selection: RowSelection;
  wide: WideSelection;
  /** How many match. */
  total: number;
  /** What can be done with those that are selected. */
  children: ReactNode;
};

/** How many are selected, the way to all that match, and what can be done with them. */
export function SelectionBar({ selection, wide, total, children }: Props) {
  const { selected, clear } = selection;
  const { state } = wide;
  const isSelecting = selected.size > 0;
  const tellSelecting = useContext(TellSelecting);
  useEffect(() => {
    tellSelecting?.(isSelecting);
    return () => tellSelecting?.(false);
  }, [tellSelecting, isSelecting]);
  useCommands(
    isSelecting
      ? [
          {
            id: 'deselect all',
            label: i18n.t('Clear selection'),
            group: i18n.t('Selection'),
            keys: ['Escape'],
            run: clear,
          },
        ]
      : [],
  );
  if (selected.size === 0 && state.step === 'idle') return null;
  return (
    <section className={classes.selection} aria-label={i18n.t('Selection')}>
      <strong>
        {i18n.t('{shown} selected', {
          count: selected.size,
          shown: number(selected.size),
        })}
      </strong>
      {state.step === 'reading' ? (
        <>
          <Progress
            className={classes.reading}
            size="sm"
            value={Number.isFinite(state.of) ? (100 * state.read) / Math.max(1, state.of) : 0}
            aria-label={i18n.t('Loading matches')}
          />
          <output className={classes.count}>
            {i18n.t('{read} of {of} loaded', {
              read: number(state.read),
              of: Number.isFinite(state.of) ? number(state.of) : '…',
            })}
          </output>
          <Button variant="default" onClick={wide.stop}>
            {i18n.t('Stop')}
          </Button>
        </>
      ) : (
        <>
          {selected.size < total && (
            <Button variant="subtle" onClick={wide.all}>
              {i18n.t('Select all {total} matches', { total: number(total) })}
            </Button>
          )}
          {selected.size > 0 && <div className={classes.actions}>{children}</div>}
        </>
      )}
      {state.step === 'failed' && (
        <span role="alert" className={classes.stale}>
          {failureSentence(state.error)}{' '}
          <Button variant="subtle" size="compact-xs" onClick={state.again}>
            {i18n.t('Retry')}
          </Button>
        </span>
      )}
      {selected.size > 0 && (
        <Hint label={i18n.t('Clear selection')}>
          <ActionIcon color="gray" aria-label={i18n.t('Clear selection')} onClick={clear}>
            <IconX size={14} stroke={1.7} />
          </ActionIcon>
        </Hint>
      )}
    </section>
  );
}
