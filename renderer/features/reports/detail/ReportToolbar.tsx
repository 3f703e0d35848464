import { i18n } from '@lingui/core';
import { type ComponentProps, useContext, useMemo } from 'react';
import type { ReportKind, ReportState } from '../../../../shared/team/entries.ts';
import { ActionBar } from '../../../actions/bar/ActionBar.tsx';
import { ActedReportsContext } from '../../../actions/panel/acted-reports.ts';
import { useMarks } from '../../../team/use-team.ts';
import { AlsoViewing, useViewing } from '../../../team/Viewers.tsx';
import { verdictName } from '../../../team/verdicts.ts';
import { MarkButtons, type OnMark } from '../desk/MarkButtons.tsx';
import { ReportNumberSkeleton } from './placeholders.tsx';
import classes from './ReportDetail.module.css';

export type ReportToolbarProps = {
  id: number;
  of: ReportKind;
  state: ReportState;
  onMark: OnMark;
  /** Opens the message to the reporters of the case. */
  onMessage?: () => void;
  onActed: (how: { reviewed: boolean }) => void;
  /** Keys act on the selection, and not on this report. */
  selecting: boolean;
};

type Props = ReportToolbarProps &
  Pick<ComponentProps<typeof ActionBar>, 'on' | 'known' | 'isLoading'> & { reporter: string | undefined };

/**
 * The number of a report, its status and its actions, shown before the report has loaded; keys are deferred until then.
 */
export function ReportToolbar({ on, known, isLoading = false, onActed, reporter, ...props }: Props) {
  const { id, of } = props;
  const ofCase = useContext(ActedReportsContext);
  const alone = useMemo(
    () => (reporter === undefined ? undefined : { reports: [{ of, id, by: reporter }] }),
    [of, id, reporter],
  );
  return (
    <div className={classes.toolbar}>
      {isLoading ? <ReportNumberSkeleton /> : <ReportHeading {...props} />}
      <div className={classes.actions}>
        <ActedReportsContext value={ofCase ?? alone}>
          <ActionBar on={on} isLoading={isLoading} onActed={onActed} quiet={props.selecting} known={known} />
        </ActedReportsContext>
      </div>
    </div>
  );
}

const narrow = { label: classes.label, section: classes.sign } as Record<string, string>;

function ReportHeading({ id, of, state, onMark, onMessage, selecting }: Omit<ReportToolbarProps, 'onActed'>) {
  useViewing(id, of);
  // In a case, shown above its reports.
  const isInCase = useContext(ActedReportsContext)?.ofCase !== undefined;
  const viewed = useMemo(() => [{ of, id }], [of, id]);
  const verdict = useMarks(of).get(id)?.verdict;
  return (
    <>
      <h1 className={classes.number}>{i18n.t('Report {id}', { id })}</h1>
      <MarkButtons
        state={state}
        verdict={verdict}
        onMark={onMark}
        onMessage={onMessage}
        look={{ variant: 'default', classNames: narrow }}
        isPrimary
        withKeys={!selecting}
      />
      {verdict && <span className={classes.verdict}>{verdictName(verdict)}</span>}
      {!isInCase && <AlsoViewing reports={viewed} />}
    </>
  );
}
