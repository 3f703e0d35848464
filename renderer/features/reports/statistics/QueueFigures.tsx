import { i18n } from '@lingui/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useMemo } from 'react';
import { HazardText } from '../../../components/HazardText.tsx';
import { PageSection } from '../../../components/page/Page.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { viewKind } from '../../../team/saved-views.ts';
import { useTeamValue } from '../../../team/use-team.ts';
import { list, number, timeSpan } from '../../../words/format.ts';
import { queueFigures, teamQueues } from '../cases/team-queues.ts';
import { useCases } from '../cases/use-cases.ts';
import classes from './StatisticsScreen.module.css';

/** Shows figures of the team's queues of cases, if there are any. */
export function QueueFigures() {
  const views = useTeamValue((team) => team.documents(viewKind));
  return teamQueues(views).length > 0 && <Figures />;
}

function Figures() {
  const { all, teamCounts, marks, now, isLoading, scan } = useCases({});
  const rows = useMemo(
    () =>
      teamCounts.map((queue) => ({
        ...queue,
        ...queueFigures(
          all.filter(({ teamQueue }) => teamQueue?.key === queue.key),
          marks,
          now,
        ),
      })),
    [all, teamCounts, marks, now],
  );
  return (
    <PageSection
      title={i18n.t('By queue')}
      description={
        isLoading
          ? i18n.t('Loading cases…')
          : i18n.t('Cases of the newest {looked} of {total} reports', {
              looked: number(scan.looked),
              total: number(scan.total),
            })
      }
    >
      <div className={classes.wide}>
        <table className={classes.figures} aria-label={i18n.t('Cases by queue')}>
          <thead>
            <tr>
              {[
                i18n.t('Queue'),
                i18n.t('Open'),
                i18n.t('Overdue'),
                i18n.t('Oldest report'),
                i18n.t('Decided'),
                i18n.t('Median time'),
                i18n.t('Target time'),
              ].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, people, open, overdue, oldestAt, decided, medianMs, targetMs }) => (
              <tr key={key}>
                <th scope="row" title={people.length > 0 ? list(people) : undefined}>
                  <HazardText text={name} />
                </th>
                <td>{number(open)}</td>
                <td className={overdue > 0 ? classes.late : undefined}>
                  {overdue > 0 && <IconClockExclamation size={13} stroke={1.7} aria-hidden />}
                  {number(overdue)}
                </td>
                <td>{oldestAt === undefined ? i18n.t('None') : <RelativeTime timestamp={oldestAt} />}</td>
                <td>{number(decided)}</td>
                <td>{medianMs === undefined ? i18n.t('None') : timeSpan(medianMs)}</td>
                <td>{targetMs === undefined ? i18n.t('None') : timeSpan(targetMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </PageSection>
  );
}
