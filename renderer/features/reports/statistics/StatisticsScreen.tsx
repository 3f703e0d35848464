import { i18n } from '@lingui/core';
import { Button, Progress } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { actionLabel } from '../../../actions/action-words.ts';
import { eventReports } from '../../../api/reports/event-reports.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { FailureMessage, FailureNote, LoadingNote, StateMessage } from '../../../components/LoadStates.tsx';
import { Page, PageSection } from '../../../components/page/Page.tsx';
import { useTabTitle } from '../../../components/page/use-window-title.ts';
import { BarTable } from '../../../components/plot/BarTable.tsx';
import { binsOf, type Unit } from '../../../components/plot/day-bins.ts';
import { TimePlot } from '../../../components/plot/TimePlot.tsx';
import { useServer } from '../../../console-context.ts';
import { useTeam } from '../../../team/use-team.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { dayOf, list, number, shortDay } from '../../../words/format.ts';
import { type Scan, useScan } from '../list/use-scan.ts';
import { filterOf, type ReportSearch, reasonLabel } from '../report-search.ts';
import { byReason, byRoom, timesToResolution, whatWasDone } from './figures.ts';
import { QueueFigures } from './QueueFigures.tsx';
import classes from './StatisticsScreen.module.css';
import { TeamFigures } from './TeamFigures.tsx';

/** Number of reports that are scanned without a click. */
const scannedUnasked = 1000;

const timeTitles: Record<Unit, string> = {
  day: /*i18n*/ 'Reports per day',
  week: /*i18n*/ 'Reports per week',
  month: /*i18n*/ 'Reports per month',
};

/** Statistics of the reports: times, rooms, reasons, waiting times and actions. */
export function StatisticsScreen() {
  useTabTitle(i18n.t('Report statistics'));
  const search = useSearch({ from: '/frame/server/reports/statistics' });
  const navigate = useNavigate();
  const { room, reporter, sender } = search;
  const server = useServer();
  const source = useMemo(
    () => eventReports(server, filterOf({ room, reporter, sender })),
    [server, room, reporter, sender],
  );
  const [goal, setGoal] = useState(scannedUnasked);
  const scan = useScan(source, 'b', { toEnd: goal === Number.POSITIVE_INFINITY });
  const { reports, looked, isComplete, further, query } = scan;
  const goesOn = !isComplete && looked < goal && !query.isError;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step triggers the next
  useEffect(() => {
    if (goesOn) further();
  }, [goesOn, further, looked]);

  const show = (changes: Partial<ReportSearch>) =>
    void navigate({ to: '/reports', search: { ...search, ...changes } });

  if (query.isPending) return <LoadingNote text={i18n.t('Loading reports…')} />;
  if (query.isError && !query.data) {
    return (
      <Page title={i18n.t('Report statistics')}>
        <FailureMessage title={i18n.t("Couldn't load reports")} query={query} />
      </Page>
    );
  }
  return (
    <Page title={i18n.t('Report statistics')}>
      {isComplete && reports.length === 0 ? (
        <StateMessage
          icon={<IconChartBar size={24} stroke={1.5} />}
          title={i18n.t('No reports')}
          description={i18n.t(
            'Reports by day, room and reason appear here, with the time to their resolution.',
          )}
        />
      ) : (
        <Coverage
          scan={scan}
          goesOn={goesOn}
          onAll={() => {
            setGoal(Number.POSITIVE_INFINITY);
            if (query.isError) void query.fetchNextPage();
          }}
          onStop={() => setGoal(0)}
        />
      )}
      {reports.length > 0 && <Plots scan={scan} onShow={show} />}
      <QueueFigures />
      <TeamFigures reports={reports} />
      <WhatWasDone />
    </Page>
  );
}

type CoverageProps = { scan: Scan<EventReportItem>; goesOn: boolean; onAll: () => void; onStop: () => void };

/** The number of reports that the figures cover, and a button to scan all. */
function Coverage({ scan, goesOn, onAll, onStop }: CoverageProps) {
  const { reports, looked, total = 0, isComplete, waitsFor, query } = scan;
  const oldest = reports.at(-1);
  const numbers = {
    looked: number(looked),
    total: number(total),
    since: oldest ? shortDay(new Date(oldest.received_ts)) : '',
  };
  return (
    <div className={classes.coverage}>
      <output className={classes.said} aria-label={i18n.t('Coverage')}>
        {isComplete
          ? i18n.t('{total, plural, one {# report} other {All # reports}}', { total: looked })
          : i18n.t('Newest {looked} of {total} reports, since {since}', numbers)}
      </output>
      {goesOn && looked > scannedUnasked && (
        <Progress
          className={classes.progress}
          value={Math.floor((looked / Math.max(1, total)) * 100)}
          aria-label={i18n.t('Scan progress')}
        />
      )}
      {waitsFor && <span title={failureSentence(waitsFor)}>{i18n.t('Server busy. Retrying shortly…')}</span>}
      <FailureNote error={query.error} />
      {!isComplete &&
        (goesOn && looked >= scannedUnasked ? (
          <Button variant="default" onClick={onStop}>
            {i18n.t('Stop')}
          </Button>
        ) : (
          !goesOn && (
            <Button variant="default" onClick={onAll}>
              {query.isError ? i18n.t('Retry') : i18n.t('Scan all {total}', numbers)}
            </Button>
          )
        ))}
    </div>
  );
}

function Plots({
  scan: { reports },
  onShow,
}: {
  scan: Scan<EventReportItem>;
  onShow: (search: Partial<ReportSearch>) => void;
}) {
  const { marks } = useTeam();
  const { unit, bins } = useMemo(() => binsOf(reports.map(({ received_ts }) => received_ts)), [reports]);
  const rooms = useMemo(() => byRoom(reports), [reports]);
  const reasons = useMemo(() => byReason(reports), [reports]);
  const waits = useMemo(() => timesToResolution(reports, marks), [reports, marks]);
  const stepLabels = [
    i18n.t('Within an hour'),
    i18n.t('Within 4 hours'),
    i18n.t('Within a day'),
    i18n.t('Within 3 days'),
    i18n.t('Within a week'),
    i18n.t('Later'),
  ];
  return (
    <>
      <PageSection title={i18n.t(timeTitles[unit])}>
        <TimePlot
          title={i18n.t(timeTitles[unit])}
          bins={bins}
          labelOf={({ from, count }) =>
            i18n.t('{day}: {count, plural, one {# report} other {# reports}}', {
              day: shortDay(new Date(from)),
              count,
            })
          }
          onChoose={({ from, to }) => onShow({ since: dayOf(from), until: dayOf(to - 1) })}
        />
      </PageSection>
      <PageSection title={i18n.t('By room')} {...rest(rooms)}>
        <BarTable
          title={i18n.t('Reports by room')}
          of={i18n.t('Room')}
          bars={rooms.shown.map(({ key, count, example }) => ({
            key,
            count,
            label: <HazardText text={example.name ?? example.canonical_alias ?? key} />,
            onChoose: () => onShow({ room: key }),
          }))}
        />
      </PageSection>
      <PageSection title={i18n.t('By reason')} {...rest(reasons)}>
        <BarTable
          title={i18n.t('Reports by reason')}
          of={i18n.t('Reason')}
          bars={reasons.shown.map(({ key, count, example }) => ({
            key,
            count,
            label: key === '' ? i18n.t('No reason given') : <HazardText text={reasonLabel(example.reason)} />,
            onChoose: () => onShow({ reason: key }),
          }))}
        />
      </PageSection>
      <PageSection
        title={i18n.t('Time to resolution')}
        description={i18n.t('{resolved, plural, one {# report} other {# reports}} resolved, {open} not', {
          resolved: waits.resolved,
          open: number(waits.open),
        })}
      >
        <BarTable
          title={i18n.t('Time to resolution')}
          of={i18n.t('Time')}
          bars={waits.steps.map((count, index) => ({
            key: String(index),
            label: stepLabels[index],
            count,
            onChoose: count === 0 ? undefined : () => onShow({ queue: 'resolved' }),
          }))}
        />
      </PageSection>
    </>
  );
}

/** The reports that a plot of the most frequent omits. */
const rest = ({ others, rest: count }: { others: number; rest: number }) =>
  others === 0
    ? {}
    : {
        description: i18n.t('{others} more ({count, plural, one {# report} other {# reports}})', {
          others: number(others),
          count,
        }),
      };

function WhatWasDone() {
  const { entries } = useTeam();
  const done = useMemo(() => whatWasDone(entries), [entries]);
  return (
    <PageSection title={i18n.t('Actions taken')} description={i18n.t('From the team log on this device')}>
      {done.length === 0 ? (
        <p>{i18n.t('No actions yet')}</p>
      ) : (
        <BarTable
          title={i18n.t('Actions taken')}
          of={i18n.t('Action')}
          bars={done.map(({ action, count, by }) => ({
            key: action,
            label: i18n.t('{action}, by {who}', { action: actionLabel({ action }), who: list(by) }),
            count,
          }))}
        />
      )}
    </PageSection>
  );
}
