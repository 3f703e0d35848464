import { i18n } from '@lingui/core';
import type { ComponentProps } from 'react';
import { ActionBar } from '../../../actions/bar/ActionBar.tsx';
import type { ReportKind, ReportState } from '../../../team/entries.ts';
import { Lookers, useLook } from '../../../team/Lookers.tsx';
import { MarkButtons } from '../desk/MarkButtons.tsx';
import { ReportNumberSkeleton } from './NoReport.tsx';
import classes from './ReportDetail.module.css';

export type ReportToolbarProps = {
  id: number;
  of: ReportKind;
  state: ReportState;
  onMark: (state: 'reviewed' | 'escalated') => void;
  onActed: () => void;
  /** Keys act on the selection, and not on this report. */
  selecting: boolean;
};

type Props = ReportToolbarProps & Pick<ComponentProps<typeof ActionBar>, 'on' | 'known' | 'isComing'>;

/** The number of a report, its status and its actions: these are there before the report, and their keys wait for it. */
export function ReportToolbar({ on, known, isComing = false, onActed, ...props }: Props) {
  return (
    <div className={classes.toolbar}>
      {isComing ? <ReportNumberSkeleton /> : <ReportHeading {...props} />}
      <div className={classes.actions}>
        <ActionBar on={on} isComing={isComing} onActed={onActed} quiet={props.selecting} known={known} />
      </div>
    </div>
  );
}

const narrow = { label: classes.label, section: classes.sign } as Record<string, string>;

function ReportHeading({ id, of, state, onMark, selecting }: Omit<ReportToolbarProps, 'onActed'>) {
  useLook(id, of);
  return (
    <>
      <h1 className={classes.number}>{i18n.t('Report {id}', { id })}</h1>
      <Lookers reportId={id} of={of} />
      <MarkButtons
        state={state}
        onMark={onMark}
        look={{ variant: 'default', classNames: narrow }}
        withKeys={!selecting}
      />
    </>
  );
}
