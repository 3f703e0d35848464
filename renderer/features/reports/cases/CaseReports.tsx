import { i18n } from '@lingui/core';
import { Kbd, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isMutedReporter } from '../../../../shared/team/cases.ts';
import type { Accuracy } from '../../../../shared/team/rules.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { useTeamValue } from '../../../team/use-team.ts';
import { serverName } from '../../../transport/server-name.ts';
import { shortId, truncate } from '../../../words/clip.ts';
import { number } from '../../../words/format.ts';
import { firstLine, StateSign } from '../desk/Row.tsx';
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
  const { connection } = useServer();
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
          const { of, id, by, reason, at: time } = report;
          const state = marks[of].get(id)?.state ?? 'open';
          const counted = accuracy.get(by);
          const isMuted = isMutedReporter(cases, by, Date.now());
          return (
            <li key={`${of} ${id}`}>
              <UnstyledButton
                className={classes.report}
                aria-current={report === current || undefined}
                data-state={state}
                onClick={() => onOpen(report)}
              >
                <span className={classes.sign}>
                  <StateSign state={state} />
                </span>
                <span className={classes.reporter} title={by}>
                  <HazardText text={shortId(by, serverName(connection))} />
                </span>
                {isMuted && <span className={classes.dim}>{i18n.t('Muted reporter')}</span>}
                {counted && (
                  <span className={classes.dim}>
                    {i18n.t('{upheld} of {decided} upheld', {
                      upheld: number(counted.upheld),
                      decided: number(counted.decided),
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
