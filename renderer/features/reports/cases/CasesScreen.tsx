import { i18n } from '@lingui/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ReportState, Verdict } from '../../../../shared/team/entries.ts';
import { isBeingDecided } from '../../../actions/decision-conflicts.ts';
import type { ActedReports } from '../../../actions/panel/acted-reports.ts';
import { eventReportQuery } from '../../../api/reports/event-reports.ts';
import { filedReportQuery } from '../../../api/reports/filed-reports.ts';
import { noticesOf } from '../../../components/notices.ts';
import { useCommands, useServer } from '../../../console-context.ts';
import { teamOf } from '../../../team/team-store.ts';
import { useTeamReading } from '../../../team/use-team.ts';
import type { Server } from '../../../transport/server.ts';
import { Panes } from '../desk/Panes.tsx';
import { ReportKinds, TeamOffer } from '../desk/ReportDesk.tsx';
import { usePanes } from '../desk/use-panes.ts';
import { useHold } from '../evidence/use-hold.ts';
import { AppealDetail, AppealList, type AppealRow, NoAppeal, useSortedAppeals } from './Appeals.tsx';
import { NoCase } from './CaseDetail.tsx';
import { type CaseDialog, CaseDialogs } from './CaseDialogs.tsx';
import { CaseList } from './CaseList.tsx';
import { CasesBody, CasesHeading } from './CaseListParts.tsx';
import { CasePane } from './CasePane.tsx';
import { CaseQueues } from './CaseQueues.tsx';
import type { CaseMenu } from './CaseStrip.tsx';
import { CaseToolbar } from './CaseToolbar.tsx';
import { caseCommands } from './case-commands.tsx';
import { queueNames } from './case-names.ts';
import { type CaseQueue, type CaseSearch, caseQueues, filterNames, hasFilters } from './case-search.ts';
import { type CaseReport, type CaseRow, type Marks, reportsInOrder, verdictOf } from './cases.ts';
import { useCaseMoves } from './use-case-moves.ts';
import { useCaseTriage } from './use-case-triage.ts';
import { useCases } from './use-cases.ts';

const noFilters = Object.fromEntries(filterNames.map((each) => [each, undefined])) as Partial<CaseSearch>;

/** Reports of all kinds as cases. The address holds the queue, the search, the open case and its report. */
export function CasesScreen() {
  const server = useServer();
  const queryClient = useQueryClient();
  const search = useSearch({ from: '/frame/server/reports/cases' });
  const navigate = useNavigate({ from: '/reports/cases' });
  const { queue = 'open', case: currentKey } = search;
  const cases = useCases(search);
  const { rows, all, marks, name, teamQueue } = cases;
  const current = useMemo(() => all.find(({ key }) => key === currentKey), [all, currentKey]);

  const appeals = useSortedAppeals();
  const reading = useTeamReading();
  const [menu, setMenu] = useState<CaseMenu>();
  const [isSorting, setSorting] = useState(false);
  const [dialog, setDialog] = useState<CaseDialog>();
  const hold = useHold();
  const panes = usePanes(currentKey);
  const { showDetail } = panes;

  const change = useCallback(
    (changes: Partial<CaseSearch>) => navigate({ search: (now) => ({ ...now, ...changes }) }),
    [navigate],
  );
  const open = useCallback(
    (key: string | undefined, step: 'click' | 'key') => {
      showDetail();
      return navigate({
        search: (now) => ({ ...now, case: key, report: undefined }),
        replace: step === 'key',
      });
    },
    [navigate, showDetail],
  );
  const me = server.connection.userId;
  const isOnAppeals = queue === 'appeals';
  const moves = useCaseMoves<CaseRow | AppealRow>({
    name: isOnAppeals ? 'appeals' : name,
    rows: isOnAppeals ? appeals : rows,
    places: isOnAppeals ? appeals.map(({ key }) => key) : cases.places,
    currentKey,
    isTaken: (row) => isTaken(server, row),
    open,
  });
  const { goTo } = moves;
  const triage = useCaseTriage({
    marks,
    onDecide: (state) => (teamQueue || queue !== 'resolved') && state !== 'open' && moves.openNext(),
    onUphold: (row) => setDialog({ of: 'uphold', row }),
    onRestored: (key) => goTo(key, 'key'),
  });

  const reports = useMemo(() => (current ? reportsInOrder(current) : []), [current]);
  const shown = reports.find(({ of, id }) => `${of} ${id}` === search.report) ?? reports[0];
  const actedReports = useMemo(() => current && actedReportsOf(current, marks), [current, marks]);
  const openReport = useCallback(
    ({ of, id }: CaseReport) =>
      navigate({ search: (now) => ({ ...now, report: `${of} ${id}` }), replace: true }),
    [navigate],
  );
  // The next case is loaded before its key is pressed.
  const nextReport = useMemo(() => {
    const next = rows[rows.findIndex(({ key }) => key === currentKey) + 1];
    return next && reportsInOrder(next)[0];
  }, [rows, currentKey]);
  useEffect(() => {
    if (nextReport?.event) void queryClient.prefetchQuery(eventReportQuery(server, nextReport.id));
  }, [queryClient, server, nextReport]);

  /** Runs a decision by key on the open case. A repeated key would decide a case that hasn't been shown. */
  function decide(run: (row: CaseRow) => void) {
    if (!current || !shown) return;
    const { of, id } = shown;
    const { queryKey } =
      of === 'report'
        ? eventReportQuery(server, id)
        : filedReportQuery(server, of === 'user_report' ? 'user' : 'room', id);
    const state = queryClient.getQueryState(queryKey);
    if (state && state.status !== 'pending') return run(current);
    noticesOf(server).show({ text: i18n.t('Report {id} is still loading: nothing was changed', { id }) });
  }
  const escalate = (row: CaseRow) => setDialog({ of: 'escalate', row });
  const message = () => setDialog({ of: 'message' });
  /** A mark that the case has already is removed. */
  function mark(row: CaseRow, state: ReportState, verdict?: Verdict) {
    const isMarked =
      state === 'escalated'
        ? row.state === 'escalated'
        : row.state === 'resolved' && (!verdict || verdict === verdictOf(row, marks));
    if (isMarked) triage.reopen(row);
    else if (state === 'escalated') escalate(row);
    else triage.resolve(row, verdict);
  }
  function assign() {
    if (!current) return;
    const isMine = current.decisions.assignee === me;
    triage.decide(
      current,
      { assignee: isMine ? null : me },
      isMine ? i18n.t('Case unassigned') : i18n.t('Case assigned to you'),
    );
  }
  function holdCase({ reports: ofCase }: CaseRow) {
    const onEvents = ofCase.filter(({ of }) => of === 'report');
    if (hold.isPending || onEvents.length === 0) return;
    hold.mutate(onEvents.map(({ id, event }) => ({ id, eventId: event?.event_id })));
  }
  async function showNew() {
    await cases.showNew();
    panes.listElement.current?.scrollTo(0, 0);
    panes.focusList();
  }

  const showQueue = (next: CaseQueue) =>
    void change({ queue: next === 'open' ? undefined : next, view: undefined, order: undefined });
  const showTeamQueue = (key: string) => void change({ ...noFilters, queue: undefined, view: key });

  useCommands(
    caseCommands({
      queues: [
        ...caseQueues
          .filter((each) => each !== 'appeals' || appeals.length > 0)
          .map((each) => ({
            id: each,
            name: i18n.t(queueNames[each]),
            isShown: !teamQueue && each === queue,
            show: () => showQueue(each),
          })),
        ...cases.teamCounts.map(({ key, name: label }) => ({
          id: key,
          name: label,
          isShown: key === teamQueue?.key,
          show: () => showTeamQueue(key),
        })),
      ],
      isOnAppeals,
      isOpen: current !== undefined,
      arrived: cases.arrived,
      move: moves.move,
      openNext: moves.openNext,
      step(by) {
        const next = shown && reports[reports.indexOf(shown) + by];
        if (next) void openReport(next);
      },
      resolve: (verdict) => decide((row) => triage.resolve(row, verdict)),
      message: () => decide(message),
      escalate: () => decide(escalate),
      reopen: () => decide(triage.reopen),
      assign,
      hold: () => decide(holdCase),
      openMenu: setMenu,
      openOrder: () => setSorting(true),
      focusFilter: panes.focusFilter,
      focusDetail: panes.focusDetail,
      focusNote: panes.focusNote,
      showList: panes.showList,
      showNew: () => void showNew(),
      clearFilters: hasFilters(search) ? () => void change(noFilters) : undefined,
    }),
  );

  const openAppeal = appeals.find(({ key }) => key === currentKey);
  return (
    <>
      <Panes
        title={i18n.t('Cases')}
        panes={panes}
        pane={panes.pane}
        list={
          <>
            <ReportKinds />
            <CaseQueues
              queue={queue}
              counts={{ ...cases.counts, appeals: appeals.filter(({ decision }) => !decision).length }}
              hasAppeals={appeals.length > 0}
              view={teamQueue?.key}
              teamQueues={cases.teamCounts}
              onQueue={showQueue}
              onView={showTeamQueue}
            />
            {isOnAppeals ? (
              <>
                {(appeals.length > 0 || !reading.error) && <TeamOffer />}
                <AppealList
                  appeals={appeals}
                  current={currentKey}
                  listRef={panes.listRef}
                  onOpen={(key) => goTo(key, 'click')}
                />
              </>
            ) : (
              <>
                <CaseToolbar
                  cases={cases}
                  search={search}
                  filterRef={panes.filterElement}
                  isSorting={isSorting}
                  onSorting={setSorting}
                  onChange={change}
                />
                <CasesHeading cases={cases} onShowNew={showNew} />
                <TeamOffer />
                <CasesBody cases={cases} isFiltered={hasFilters(search)} queue={teamQueue ? 'team' : queue}>
                  <CaseList
                    key={name}
                    rows={rows}
                    now={cases.now}
                    currentKey={currentKey}
                    messages={cases.messages}
                    wordLists={cases.wordLists}
                    listRef={panes.listRef}
                    onPress={(key) => goTo(key, 'click')}
                  />
                </CasesBody>
              </>
            )}
          </>
        }
      >
        <CasePane
          row={current}
          reports={reports}
          report={shown}
          cases={cases}
          actedReports={actedReports}
          detailRef={panes.detailElement}
          menu={menu}
          onMenu={setMenu}
          isHolding={hold.isPending}
          onHold={() => current && holdCase(current)}
          onAssign={assign}
          onDecide={triage.decide}
          onMark={mark}
          onMessage={message}
          onActed={({ reviewed }) => {
            if (reviewed) moves.openNext();
            // The case's next unresolved report.
            else void navigate({ search: ({ report: _, ...now }) => now, replace: true });
            panes.focusList();
          }}
          onOpen={openReport}
        >
          {isOnAppeals ? (
            openAppeal ? (
              <AppealDetail appeal={openAppeal} />
            ) : (
              appeals.length > 0 && <NoAppeal />
            )
          ) : (
            !cases.isLoading &&
            (rows.length > 0 || currentKey !== undefined) && <NoCase isMissing={currentKey !== undefined} />
          )}
        </CasePane>
      </Panes>
      {dialog && (
        <CaseDialogs
          dialog={dialog}
          current={current}
          actedReports={actedReports}
          marks={marks}
          triage={triage}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

function actedReportsOf({ unresolved, reports }: CaseRow, marks: Marks): ActedReports {
  const acted = ({ of, id, by, event }: CaseReport) => ({
    of,
    id,
    by,
    ...(event && { eventId: event.event_id }),
    ...(marks[of].get(id)?.state === 'escalated' && { escalated: true }),
  });
  return { reports: unresolved.map(acted), ofCase: reports.map(acted) };
}

/** Whether somebody else has the case or appeal. */
function isTaken(server: Server, row: CaseRow | AppealRow): boolean {
  const me = server.connection.userId;
  if (!('decisions' in row)) return row.decision !== undefined || row.of.by === me;
  const { assignee } = row.decisions;
  return (
    (assignee != null && assignee !== me) ||
    row.reports.some(
      (report) =>
        isBeingDecided(server, report) ||
        teamOf(server).snapshot().viewers(`${report.of} ${report.id}`).length > 0,
    )
  );
}
