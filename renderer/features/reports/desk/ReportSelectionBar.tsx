import { i18n } from '@lingui/core';
import { ActionIcon, Button } from '@mantine/core';
import { IconChecks, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { ReportState } from '../../../../shared/team/entries.ts';
import { maxGathered } from '../../../api/reports/report-walk.ts';
import { Hint } from '../../../components/Hint.tsx';
import { number } from '../../../words/format.ts';
import headingClasses from './ListHeading.module.css';
import { MarkButtons, type OnMark } from './MarkButtons.tsx';
import classes from './ReportSelectionBar.module.css';
import type { ReportSelection } from './report-selection.ts';

const narrow = { variant: 'subtle', size: 'compact-xs' };

type Props = {
  selection: Pick<ReportSelection, 'selected' | 'clear'>;
  /** Number of matches; undefined if it isn't known. */
  total: number | undefined;
  /** The state of the selected reports; `open` if they differ. */
  state: ReportState;
  onSelectAll: () => Promise<unknown> | undefined;
  onMark: (reportIds: readonly number[], ...how: Parameters<OnMark>) => void;
  /** The actions. */
  children: ReactNode;
};

/** The number of selected reports, and their actions. */
export function ReportSelectionBar({ selection, total, state, onSelectAll, onMark, children }: Props) {
  const { selected, clear } = selection;
  const [gathering, setGathering] = useState(false);
  const count = selected.size;
  // Selecting a single report doesn't offer all of them.
  const isMoreOffered = count > 1 && count < maxGathered && (total === undefined || count < total);

  const all =
    total === undefined || total > maxGathered
      ? i18n.t('Select all matches')
      : i18n.t('Select all {total}', { total: number(total) });

  async function selectAll() {
    setGathering(true);
    await onSelectAll();
    setGathering(false);
  }

  return (
    <>
      <div className={headingClasses.heading} data-selecting>
        <output className={headingClasses.count}>
          {/* The button that selects all shows their number. */}
          {total === undefined || count >= total || isMoreOffered
            ? i18n.t('{count, plural, other {# selected}}', { count })
            : i18n.t('{count} of {total} selected', { count: number(count), total: number(total) })}
        </output>
        {isMoreOffered && (
          <Hint label={all}>
            <Button
              variant="subtle"
              size="compact-xs"
              classNames={{ label: classes.all, section: classes.allSign }}
              leftSection={<IconChecks size={14} stroke={1.7} />}
              loading={gathering}
              onClick={selectAll}
            >
              {all}
            </Button>
          </Hint>
        )}
        <MarkButtons
          state={state}
          onMark={(...how) => onMark([...selected], ...how)}
          look={narrow}
          withKeys
          count={count}
        />
        <Hint label={i18n.t('Clear selection')}>
          <ActionIcon size={22} color="gray" aria-label={i18n.t('Clear selection')} onClick={clear}>
            <IconX size={14} stroke={1.7} />
          </ActionIcon>
        </Hint>
      </div>
      <div className={classes.actions} data-words>
        {children}
      </div>
    </>
  );
}
