import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { reportIdsByQuery } from '../../../api/reports/event-reports.ts';
import { useServer } from '../../../console-context.ts';
import { useMarks } from '../../../team/use-team.ts';
import { accuracyOf } from '../../../team/verdicts.ts';
import { number } from '../../../words/format.ts';
import classes from './ReportDetail.module.css';

/** Shows how many of a reporter's decided event reports were upheld; nothing before the first verdict. */
export function ReporterAccuracy({ reporter }: { reporter: string }) {
  const marks = useMarks();
  const { data = [] } = useQuery(reportIdsByQuery(useServer(), reporter));
  const { decided, upheld } = accuracyOf(data, marks);
  if (decided === 0) return null;
  return (
    <span className={classes.dim} title={i18n.t('Of the newest {count} reports', { count: data.length })}>
      {i18n.t('{upheld} of {decided} upheld', { upheld: number(upheld), decided: number(decided) })}
    </span>
  );
}
