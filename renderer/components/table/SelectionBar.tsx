import { i18n } from '@lingui/core';
import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useContext, useEffect } from 'react';
import { useCommands } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { number } from '../../words/format.ts';
import { Hint } from '../Hint.tsx';
import classes from './ListScreen.module.css';
import { OnSelecting, type RowSelection, type WideSelection } from './selection.ts';

type Props = {
  selection: RowSelection;
  wideSelection: WideSelection;
  /** Number of matches. */
  total: number;
  /** Actions on the selection. */
  children: ReactNode;
};

/** Renders the selection's size, its actions, and a button that selects all matches. */
export function SelectionBar({ selection, wideSelection, total, children }: Props) {
  const { selected, clear } = selection;
  const { state } = wideSelection;
  const isSelecting = selected.size > 0;
  const onSelecting = useContext(OnSelecting);
  useEffect(() => {
    onSelecting?.(isSelecting);
    return () => onSelecting?.(false);
  }, [onSelecting, isSelecting]);
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
  if (!isSelecting && state.step === 'idle') return null;
  return (
    <section className={classes.selection} aria-label={i18n.t('Selection')}>
      <strong>{i18n.t('{shown} selected', { shown: number(selected.size) })}</strong>
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
          <Button variant="default" onClick={wideSelection.stop}>
            {i18n.t('Stop')}
          </Button>
        </>
      ) : (
        <>
          {selected.size < total && (
            <Button variant="subtle" onClick={wideSelection.all}>
              {i18n.t('Select all {total} matches', { total: number(total) })}
            </Button>
          )}
          {isSelecting && <div className={classes.actions}>{children}</div>}
        </>
      )}
      {state.step === 'failed' && (
        <span role="alert">
          {failureSentence(state.error)}{' '}
          <Button variant="subtle" size="compact-xs" onClick={state.again}>
            {i18n.t('Retry')}
          </Button>
        </span>
      )}
      {isSelecting && (
        <Hint label={i18n.t('Clear selection')}>
          <ActionIcon color="gray" aria-label={i18n.t('Clear selection')} onClick={clear}>
            <IconX size={14} stroke={1.7} />
          </ActionIcon>
        </Hint>
      )}
    </section>
  );
}
