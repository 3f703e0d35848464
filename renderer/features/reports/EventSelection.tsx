import { i18n } from '@lingui/core';
import { useQueries } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { actedOnReports, type Reported } from '../../actions/acted-on-reports.ts';
import { eventReportQuery } from '../../api/event-reports.ts';
import { useServer } from '../../console-context.ts';
import classes from './desk/SelectionBar.module.css';
import { SelectionBar } from './desk/SelectionBar.tsx';

/** A list holds no messages: those of so many are read for the media in them. */
const mostRead = 50;

type Props = Omit<ComponentProps<typeof SelectionBar>, 'children'> & {
  reports: readonly Reported[];
  onActed: (how: { reviewed: boolean }) => void;
};

/** What can be done with the reports that are selected, and with their events, senders, rooms and media. */
export function EventSelection({ reports, onActed, ...props }: Props) {
  const server = useServer();
  const isTooMany = reports.length > mostRead;
  const whole = useQueries({
    queries: isTooMany ? [] : reports.map(({ id }) => eventReportQuery(server, id)),
    combine: (results) => results.map(({ data }) => data),
  });
  return (
    <SelectionBar {...props}>
      <ActionBar
        on={actedOnReports(reports.map((report, index) => whole[index] ?? report))}
        onActed={onActed}
      />
      {isTooMany && (
        <p className={classes.note}>
          {i18n.t('Media actions cover up to {mostRead} reports.', { mostRead })}
        </p>
      )}
    </SelectionBar>
  );
}
