import { i18n } from '@lingui/core';
import { Kbd, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isMutedReporter } from '../../../../shared/team/cases.ts';
import type { ReportState } from '../../../../shared/team/entries.ts';
import type { Accuracy } from '../../../../shared/team/rules.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { useDwelledInView } from '../../../components/in-view.ts';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useConsole } from '../../../console-context.ts';
import { useTeamValue } from '../../../team/use-team.ts';
import { truncate } from '../../../words/clip.ts';
import { number } from '../../../words/format.ts';
import { firstLine, StateSign } from '../desk/Row.tsx';
import { Person } from '../ReportRow.tsx';
import classes from './Cases.module.css';
import type { CaseReport, Marks } from './cases.ts';

type Props = {
  reports: readonly CaseReport[];
  current: CaseReport;
  marks: Marks;
  accuracy: ReadonlyMap<string, Accuracy>;
  onOpen: (report: CaseReport) => void;
};

/** More are shown on a click. */
const maxShown = 50;

/** The reports of a case, with their reporters and the reporters' accuracy. */
export function CaseReports({ reports, current, marks, accuracy, onOpen }: Props) {
  const cases = useTeamValue((team) => team.cases);
  const { commands } = useConsole();
  const [all, setAll] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const at = reports.indexOf(current);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns for another report
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current.id, current.of]);
  const shown = all ? reports : reports.slice(0, Math.max(maxShown, at + 1));
  return (
    <section className={classes.reports} aria-label={i18n.t('Reports in case')}>
      <p className={classes.reportsHeading}>
        {i18n.t('Report {position} of {count}', { position: number(at + 1), count: number(reports.length) })}
        {commands.keyWorks('[') && (
          <span aria-hidden>
            <Kbd size="xs">[</Kbd> <Kbd size="xs">]</Kbd>
          </span>
        )}
      </p>
      <ol ref={list} className={classes.reportList}>
        {shown.map((report) => {
          const { of, id, by } = report;
          return (
            <ReportOfCase
              key={`${of} ${id}`}
              report={report}
              isCurrent={report === current}
              state={marks[of].get(id)?.state ?? 'open'}
              accuracy={accuracy.get(by)}
              isMuted={isMutedReporter(cases, by, Date.now())}
              onOpen={() => onOpen(report)}
            />
          );
        })}
        {shown.length < reports.length && (
          <li>
            <UnstyledButton className={classes.more} onClick={() => setAll(true)}>
              {i18n.t('Show all {count}', { count: number(reports.length) })}
            </UnstyledButton>
          </li>
        )}
      </ol>
    </section>
  );
}

type ReportProps = {
  report: CaseReport;
  isCurrent: boolean;
  state: ReportState;
  accuracy: Accuracy | undefined;
  isMuted: boolean;
  onOpen: () => void;
};

function ReportOfCase({ report, isCurrent, state, accuracy, isMuted, onOpen }: ReportProps) {
  const [ref, isSeen] = useDwelledInView();
  const { by, reason, at: time } = report;
  return (
    <li ref={ref}>
      <UnstyledButton
        className={classes.report}
        aria-current={isCurrent || undefined}
        data-state={state}
        onClick={onOpen}
      >
        <span className={classes.sign}>
          <StateSign state={state} />
        </span>
        <span className={classes.reporter}>
          <Person id={by} isSecond asks={isSeen} />
        </span>
        {isMuted && <span className={classes.dim}>{i18n.t('Muted reporter')}</span>}
        {accuracy && (
          <span className={classes.dim}>
            {i18n.t('{upheld} of {decided} upheld', {
              upheld: number(accuracy.upheld),
              decided: number(accuracy.decided),
            })}
          </span>
        )}
        <span className={classes.reason} title={truncate(reason, 1000)}>
          <HazardText text={firstLine(reason) ?? i18n.t('No reason given')} />
        </span>
        <span className={classes.dim}>{kindName(report)}</span>
        <span className={classes.dim}>
          <RelativeTime timestamp={time} />
        </span>
      </UnstyledButton>
    </li>
  );
}

function kindName({ of }: CaseReport): string {
  switch (of) {
    case 'report':
      return i18n.t('Event');
    case 'user_report':
      return i18n.t('User');
    case 'room_report':
      return i18n.t('Room');
  }
}
