import { i18n } from '@lingui/core';
import { ActionIcon, Button } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, memo, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isDeletion } from '../../../shared/team/fold.ts';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { type ReportToActOn, targetsOfReports } from '../../actions/report-targets.ts';
import { askReports, eventReportQuery, eventReports } from '../../api/reports/event-reports.ts';
import { gatherReports } from '../../api/reports/report-walk.ts';
import { Hint } from '../../components/Hint.tsx';
import { SampleDataHint } from '../../components/SampleDataHint.tsx';
import { useServer } from '../../console-context.ts';
import { useTeamValue } from '../../team/use-team.ts';
import type { Arrangement } from './ArrangeMenu.tsx';
import { ReportEvidence } from './cases/CaseEvidence.tsx';
import type { OnMark } from './desk/MarkButtons.tsx';
import { ReportDesk } from './desk/ReportDesk.tsx';
import selectionClasses from './desk/ReportSelectionBar.module.css';
import { ReportListSkeleton } from './desk/Row.tsx';
import { MessagesRead } from './desk/ScanProgress.tsx';
import { useReportDesk } from './desk/use-report-desk.ts';
import { OpenReport } from './detail/OpenReport.tsx';
import { ExportMenu } from './export/ExportMenu.tsx';
import { JumpMenu, type JumpTarget, rowOfTarget } from './JumpMenu.tsx';
import { wordsOf } from './list/filter.ts';
import type { ReportGroup } from './list/groups.ts';
import { useGroups } from './list/use-groups.ts';
import { useMessages } from './list/use-messages.ts';
import { useReportList } from './list/use-report-list.ts';
import { ModerationMenu } from './ModerationMenu.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { ReportRow } from './ReportRow.tsx';
import { useReportCommands } from './report-commands.tsx';
import { filterOf, isFiltered, isWhole, type ReportSearch, withoutFilters } from './report-search.ts';
import { SearchedWords } from './SearchedWords.tsx';
import { subjectsOfReport } from './subjects-of-report.ts';

const SubjectList = lazy(async () => ({ default: (await import('./subjects/SubjectList.tsx')).SubjectList }));

/** Event reports. The address holds the filters and the open report. */
export function ReportsScreen() {
  const server = useServer();
  const search = useSearch({ from: '/frame/server/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const { room, reporter, sender, text } = search;
  const filter = useMemo(() => filterOf({ room, reporter, sender }), [room, reporter, sender]);
  const source = useMemo(() => eventReports(server, filter), [server, filter]);
  const messages = useMessages(text !== undefined);
  const list = useReportList(source, search, messages.read);
  const groups = useGroups(list, search, filter);
  const [jumpOpened, setJumpOpened] = useState(false);
  const [arranging, setArranging] = useState<Arrangement>();
  const [exportOpened, setExportOpened] = useState(false);

  const open = useCallback(
    (report: number | undefined, step: 'click' | 'key') =>
      navigate({ search: (current) => ({ ...current, report }), replace: step === 'key' }),
    [navigate],
  );
  const change = useCallback(
    (changes: Partial<ReportSearch>) => navigate({ search: (current) => ({ ...current, ...changes }) }),
    [navigate],
  );
  const clearFilters = () => change(withoutFilters);

  const rows = groups?.rows ?? list.rows;
  const desk = useReportDesk({ list, rows, open, subjectsOf: subjectsOfReport });
  const { selection, triage } = desk;
  const { focusList } = desk.panes;

  const openOther = useCallback((report: number) => open(report, 'click'), [open]);
  const mark = useStableCallback((...how: Parameters<OnMark>) => triage.toggle([search.report ?? 0], ...how));
  const openNext = useStableCallback(desk.openNext);

  async function gatherGroup({ reports, subject }: ReportGroup) {
    const all =
      isWhole(search) && subject
        ? await gatherReports(askReports(server, subject.filter)).catch(() => reports)
        : reports;
    return all.filter(({ event_id }) => subject?.eventId === undefined || event_id === subject.eventId);
  }

  const jump = useStableCallback(async (target: JumpTarget) => {
    const row = await rowOfTarget(target, rows.count, list);
    if (row === undefined) return;
    selection.goTo(row);
    focusList();
  });

  useReportCommands({
    ...desk.keys,
    current: desk.current,
    search,
    openArrangement: setArranging,
    clearFilters: isFiltered(search) ? () => void clearFilters() : undefined,
    change,
    jump,
    openJump: () => setJumpOpened(true),
    openExport: () => setExportOpened(true),
    showStatistics: () => navigate({ to: '/reports/statistics', search: { room, reporter, sender } }),
  });

  const wereDeleted = useTeamValue(
    ({ entries }) =>
      list.status.stage === 'no reports' &&
      entries.some((entry) => entry.type === 'action' && isDeletion(entry)),
  );
  const words = useMemo(() => wordsOf(text), [text]);
  const searched = useMemo(
    () => (words.length > 0 ? { words, messages: messages.read } : undefined),
    [words, messages.read],
  );

  return (
    <SearchedWords value={searched}>
      <ReportDesk
        title={i18n.t('Reports')}
        list={list}
        desk={desk}
        onChange={change}
        onClearFilters={clearFilters}
        filters={
          <ReportFilters
            search={search}
            reports={rows.loaded}
            inputRef={desk.panes.filterElement}
            onChange={change}
            onLeave={focusList}
            arranging={arranging}
            onArrange={setArranging}
          />
        }
        tools={
          <>
            <StatisticsLink search={search} />
            <ModerationMenu />
            <ExportMenu
              opened={exportOpened}
              onOpen={setExportOpened}
              search={search}
              filter={filter}
              dir={list.dir}
              messages={messages.read}
              total={list.counts.total}
            />
            <JumpMenu
              opened={jumpOpened}
              onOpen={setJumpOpened}
              byTime={list.strategy?.kind === 'window'}
              onJump={jump}
            />
          </>
        }
        actions={(onActed) => <EventActions reports={selection.reports} onActed={onActed} />}
        scanned={
          <>
            {groups?.sort && (
              <Button variant="subtle" size="compact-xs" onClick={groups.sort}>
                {i18n.t('Sort reports')}
              </Button>
            )}
            {text && <MessagesRead reports={list.scan.reports} messages={messages} />}
          </>
        }
        groups={
          groups && {
            count: groups.groups.length,
            list: (
              <Suspense fallback={<ReportListSkeleton />}>
                <SubjectList
                  name={list.name}
                  subjects={groups.groups}
                  isWhole={isWhole(search)}
                  order={groups.isLong ? list.dir : undefined}
                  currentId={search.report}
                  selectedIds={selection.selected}
                  marks={desk.marks}
                  listRef={desk.panes.listRef}
                  onPress={selection.press}
                  onSelect={selection.set}
                  onSelectGroup={(group, isSelected) => desk.select(gatherGroup(group), isSelected)}
                  onChange={change}
                  onHold={groups.hold}
                />
              </Suspense>
            ),
          }
        }
        Row={ReportRow}
        none={
          <>
            {i18n.t('This server has no event reports.')} {!wereDeleted && <SampleDataHint />}
          </>
        }
        notOffered={i18n.t("This server doesn't support event reports")}
      >
        <ReportEvidence reportId={search.report ?? 0} />
        <OpenReport
          key={search.report}
          reportId={search.report ?? 0}
          listed={desk.current}
          state={desk.stateOf(search.report)}
          onFilter={change}
          onOpen={openOther}
          onMark={mark}
          onActed={openNext}
          selecting={selection.selected.size > 0}
        />
      </ReportDesk>
    </SearchedWords>
  );
}

const StatisticsLink = memo(function StatisticsLink({ search }: { search: ReportSearch }) {
  const { room, reporter, sender } = search;
  return (
    <Hint label={i18n.t('Report statistics')}>
      <ActionIcon
        size={22}
        aria-label={i18n.t('Report statistics')}
        renderRoot={(attributes) => (
          <Link to="/reports/statistics" search={{ room, reporter, sender }} {...attributes} />
        )}
      >
        <IconChartBar size={14} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
});

/** Lists hold no messages: those of up to this number of reports are loaded for the media in them. */
const maxLoaded = 50;

type ActionsProps = { reports: readonly ReportToActOn[]; onActed: (how: { reviewed: boolean }) => void };

/** Actions on the selected reports, and on their events, senders, rooms and media. */
function EventActions({ reports, onActed }: ActionsProps) {
  const server = useServer();
  const isTooMany = reports.length > maxLoaded;
  const whole = useQueries({
    queries: isTooMany ? [] : reports.map(({ id }) => eventReportQuery(server, id)),
    combine: (results) => results.map(({ data }) => data),
  });
  return (
    <>
      <ActionBar
        on={targetsOfReports(reports.map((report, index) => whole[index] ?? report))}
        onActed={onActed}
      />
      {isTooMany && (
        <p className={selectionClasses.note}>
          {i18n.t('Media actions cover up to {mostRead} reports.', { mostRead: maxLoaded })}
        </p>
      )}
    </>
  );
}

/** Returns a function that never changes and calls the latest one: memoized parts aren't rendered for another one. */
function useStableCallback<Given extends unknown[], Result>(callback: (...given: Given) => Result) {
  const latest = useRef(callback);
  useEffect(() => {
    latest.current = callback;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
