import { i18n } from '@lingui/core';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { mostGathered } from '../../api/report-walk.ts';
import type { ReportState } from '../../team/entries.ts';
import { number } from '../../words/format.ts';
import classes from './ListHeading.module.css';
import { MarkButtons } from './MarkButtons.tsx';
import type { ReportSelection } from './report-selection.ts';
import SelectionActions from './SelectionActions.tsx';

const narrow = {
  variant: 'subtle',
  size: 'compact-xs',
  classNames: { label: classes.label, section: classes.sign } as Record<string, string>,
};

type Props = {
  selection: ReportSelection;
  /** How many match; undefined where not all were looked through. */
  total: number | undefined;
  /** Of all that are selected; `open` where they differ. */
  state: ReportState;
  onSelectAll: () => Promise<void>;
  onMark: (reportIds: readonly number[], state: 'reviewed' | 'escalated') => void;
  onRemove: (reportIds: readonly number[]) => void;
  onActed: (how: { reviewed: boolean }) => void;
};

/** How many are selected, and what can be done with them, their events, senders, rooms and media. */
export default function SelectionBar({ selection, total, state, onSelectAll, ...props }: Props) {
  const { selected, reports } = selection;
  const [gathering, setGathering] = useState(false);
  const count = selected.size;
  // Who picks single ones is not asked each time whether all were meant.
  const isMoreOffered = count > 1 && count < mostGathered && (total === undefined || count < total);

  async function selectAll() {
    setGathering(true);
    await onSelectAll();
    setGathering(false);
  }

  return (
    <>
      <div className={classes.heading} data-selecting>
        <output className={classes.count}>
          {total === undefined || count >= total
            ? i18n.t('{count, plural, one {# selected} other {# selected}}', { count })
            : i18n.t('{count} selected of {total}', { count: number(count), total: number(total) })}
        </output>
        {isMoreOffered && (
          <Button variant="subtle" size="compact-xs" loading={gathering} onClick={selectAll}>
            {total === undefined || total > mostGathered
              ? i18n.t('Select all that match')
              : i18n.t('Select all {total}', { total: number(total) })}
          </Button>
        )}
        <MarkButtons state={state} onMark={(next) => props.onMark([...selected], next)} look={narrow} />
        <Button
          {...narrow}
          title={i18n.t('Delete')}
          leftSection={<IconTrash size={14} stroke={1.7} />}
          onClick={() => props.onRemove([...selected])}
        >
          {i18n.t('Delete')}
        </Button>
        <Tooltip label={i18n.t('Clear')}>
          <ActionIcon size={22} color="gray" aria-label={i18n.t('Clear')} onClick={selection.clear}>
            <IconX size={14} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </div>
      <SelectionActions reports={reports} onActed={props.onActed} />
    </>
  );
}
