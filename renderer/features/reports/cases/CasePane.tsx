import { i18n } from '@lingui/core';
import { type ReactNode, type RefObject, useLayoutEffect } from 'react';
import type { CaseChange, ReportState } from '../../../../shared/team/entries.ts';
import { type ActedReports, ActedReportsContext } from '../../../actions/panel/acted-reports.ts';
import type { OnMark } from '../desk/MarkButtons.tsx';
import detailClasses from '../detail/ReportDetail.module.css';
import { CaseReportDetail } from './CaseDetail.tsx';
import { CaseEvidence } from './CaseEvidence.tsx';
import { CaseReports } from './CaseReports.tsx';
import { type CaseMenu, CaseStrip } from './CaseStrip.tsx';
import classes from './Cases.module.css';
import type { CaseReport, CaseRow } from './cases.ts';
import type { CaseList } from './use-cases.ts';

type Props = {
  row: CaseRow | undefined;
  reports: readonly CaseReport[];
  /** The open one of the reports. */
  report: CaseReport | undefined;
  cases: CaseList;
  actedReports: ActedReports | undefined;
  detailRef: RefObject<HTMLElement | null>;
  menu: CaseMenu | undefined;
  onMenu: (menu: CaseMenu | undefined) => void;
  isHolding: boolean;
  onHold: () => void;
  onAssign: () => void;
  onDecide: (row: CaseRow, change: CaseChange, text: string) => void;
  onMark: (row: CaseRow, ...mark: Parameters<OnMark>) => void;
  onMessage: () => void;
  onActed: (how: { reviewed: boolean }) => void;
  onOpen: (report: CaseReport) => void;
  /** Stands in for the case if none is open. */
  children: ReactNode;
};

/** The open case: its subject and decisions, its evidence, and its reports, one of them open. */
export function CasePane({ row, reports, report, cases, detailRef, ...props }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns for another report
  useLayoutEffect(() => {
    detailRef.current?.scrollTo(0, 0);
  }, [report?.of, report?.id]);
  return (
    <>
      {row && (
        <CaseStrip
          row={row}
          now={cases.now}
          menu={props.menu}
          onMenu={props.onMenu}
          onAssign={props.onAssign}
          onHold={props.onHold}
          isHolding={props.isHolding}
          onDecide={(change, text) => props.onDecide(row, change, text)}
        />
      )}
      {row && <CaseEvidence row={row} />}
      {report && reports.length > 1 && (
        <CaseReports
          reports={reports}
          current={report}
          marks={cases.marks}
          accuracy={cases.accuracy}
          onOpen={props.onOpen}
        />
      )}
      <section
        ref={detailRef}
        className={`${detailClasses.detail} ${classes.detail}`}
        aria-label={i18n.t('Report')}
        tabIndex={row ? 0 : -1}
      >
        {row && report ? (
          <ActedReportsContext value={props.actedReports}>
            <CaseReportDetail
              key={`${report.of} ${report.id}`}
              report={report}
              state={reportStateOf(row)}
              onMark={(...mark) => props.onMark(row, ...mark)}
              onMessage={props.onMessage}
              onActed={props.onActed}
            />
          </ActedReportsContext>
        ) : (
          props.children
        )}
      </section>
    </>
  );
}

/** The state for the buttons beside the report: that of the case. */
function reportStateOf({ state }: CaseRow): ReportState {
  if (state === 'escalated') return 'escalated';
  return state === 'resolved' ? 'reviewed' : 'open';
}
