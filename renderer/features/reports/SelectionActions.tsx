import { i18n } from '@lingui/core';
import { useQueries } from '@tanstack/react-query';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { actedOnReports, type Reported } from '../../actions/acted-on-reports.ts';
import { eventReportQuery } from '../../api/event-reports.ts';
import { useServer } from '../../console-context.ts';
import classes from './SelectionActions.module.css';

/** A list holds no messages: those of so many are read for the media in them. */
const mostRead = 50;

/** What can be done with the events, senders, rooms and media of the reports that are selected. */
export default function SelectionActions({
  reports,
  onActed,
}: {
  reports: readonly Reported[];
  onActed: (how: { reviewed: boolean }) => void;
}) {
  const server = useServer();
  const isTooMany = reports.length > mostRead;
  const whole = useQueries({
    queries: isTooMany ? [] : reports.map(({ id }) => eventReportQuery(server, id)),
    combine: (results) => results.map(({ data }) => data),
  });
  return (
    <div className={classes.actions}>
      <ActionBar
        on={actedOnReports(reports.map((report, index) => whole[index] ?? report))}
        onActed={onActed}
      />
      {isTooMany && (
        <p className={classes.note}>
          {i18n.t('Media are offered for up to {mostRead} reports at a time.', { mostRead })}
        </p>
      )}
    </div>
  );
}
