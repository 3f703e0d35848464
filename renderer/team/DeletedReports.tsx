import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ActionEntry, DeletedReport, ReportKind, Subject } from '../../shared/team/entries.ts';
import { isAboutDeleted } from '../../shared/team/fold.ts';
import { HazardText } from '../components/HazardText.tsx';
import { exactTime } from '../components/time.ts';
import { truncate } from '../words/clip.ts';
import { reportName } from './report-names.ts';
import classes from './Timeline.module.css';
import { useTeam } from './use-team.ts';

type Props = {
  kind: ReportKind;
  id: number;
  className?: string | undefined;
  onClick?: () => void;
  children: ReactNode;
};

/** Links to a report of any kind. */
export function ReportLink({ kind, id, ...rest }: Props) {
  if (kind === 'report') {
    return <Link to="/reports" search={{ report: id }} {...rest} />;
  }
  return (
    <Link
      to={kind === 'user_report' ? '/reports/users/$reportId' : '/reports/rooms/$reportId'}
      params={{ reportId: String(id) }}
      {...rest}
    />
  );
}

const initialCount = 5;
const maxReasonLength = 300;

/** Lists the reports on a subject that an entry deleted. */
export function DeletedReports({ entry, subject }: { entry: ActionEntry; subject: Subject }) {
  const [all, setAll] = useState(false);
  const reports = (entry.deleted ?? []).filter((report) => isAboutDeleted(subject, report, entry.of));
  if (reports.length === 0) return null;
  const shown = all ? reports : reports.slice(0, initialCount);
  return (
    <>
      <ul className={classes.deleted}>
        {shown.map((report) => (
          <li key={report.id}>
            <Report report={report} of={entry.of ?? 'report'} />
          </li>
        ))}
      </ul>
      {reports.length > shown.length && (
        <UnstyledButton className={classes.more} onClick={() => setAll(true)}>
          {i18n.t('Show all {count}', { count: reports.length })}
        </UnstyledButton>
      )}
    </>
  );
}

function Report({ report: { id, by, at, reason }, of }: { report: DeletedReport; of: ReportKind }) {
  const entries = useTeam().timeline({ kind: of, id });
  const mark = entries.find((entry) => entry.type === 'mark' && entry.state !== 'open');
  const notes = entries.filter((entry) => entry.type === 'note').length;
  const wasEscalated = mark?.type === 'mark' && mark.state === 'escalated';
  return (
    <>
      <span className={classes.more}>
        <ReportLink kind={of} id={id}>
          {reportName({ kind: of, id })}
        </ReportLink>
      </span>{' '}
      <HazardText text={i18n.t('by {by}, {time}', { by, time: exactTime(at) })} />
      {reason && (
        <>
          {': '}
          <bdi>
            <HazardText text={truncate(reason, maxReasonLength)} />
          </bdi>
        </>
      )}
      {wasEscalated && ` · ${i18n.t('Escalated')}`}
      {notes > 0 && ` · ${i18n.t('{count, plural, one {# note} other {# notes}}', { count: notes })}`}
    </>
  );
}
