import { i18n } from '@lingui/core';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { ActionBar } from '../../../actions/ActionBar.tsx';
import type { FiledKind, FiledReport } from '../../../api/filed-reports.ts';
import type { ReportState } from '../../../team/entries.ts';
import classes from '../ListHeading.module.css';
import { MarkButtons } from '../MarkButtons.tsx';
import type { ReportSelection } from '../report-selection.ts';
import actionClasses from '../SelectionActions.module.css';

type Props = {
  kind: FiledKind;
  selection: ReportSelection<FiledReport>;
  /** Of all that are selected; `open` where they differ. */
  state: ReportState;
  onMark: (state: 'reviewed' | 'escalated') => void;
  onActed: () => void;
};

const narrow = {
  variant: 'subtle',
  size: 'compact-xs',
  classNames: { label: classes.label, section: classes.sign } as Record<string, string>,
};

/** How many are selected, and what can be done with them and with whom or what they are about. */
export function FiledSelectionBar({ kind, selection, state, onMark, onActed }: Props) {
  const filed = selection.reports.map(({ id, about }) => ({ of: kind, reportId: id, about }));
  return (
    <>
      <div className={classes.heading} data-selecting>
        <output className={classes.count}>
          {i18n.t('{count, plural, one {# selected} other {# selected}}', { count: filed.length })}
        </output>
        <MarkButtons state={state} onMark={onMark} look={narrow} />
        <Tooltip label={i18n.t('Clear')}>
          <ActionIcon size={22} color="gray" aria-label={i18n.t('Clear')} onClick={selection.clear}>
            <IconX size={14} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={actionClasses.actions}>
        <ActionBar
          on={
            kind === 'user'
              ? { filed, users: filed.map(({ about: userId }) => ({ userId })) }
              : { filed, rooms: filed.map(({ about: roomId }) => ({ roomId })) }
          }
          onActed={onActed}
        />
      </div>
    </>
  );
}
