import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  type CSSProperties,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import type { ReportState } from '../../../../shared/team/entries.ts';
import { isBeingDecided } from '../../../actions/decision-conflicts.ts';
import { type ActedReports, ActedReportsContext } from '../../../actions/panel/acted-reports.ts';
import { eventReportQuery } from '../../../api/reports/event-reports.ts';
import { filedReportQuery } from '../../../api/reports/filed-reports.ts';
import { noticesOf } from '../../../components/notices.ts';
import { ResizeHandle } from '../../../components/ResizeHandle.tsx';
import { SearchField } from '../../../components/table/SearchField.tsx';
import { useCommands, useServer } from '../../../console-context.ts';
import { SavedViews } from '../../../team/SavedViews.tsx';
import { teamOf } from '../../../team/team-store.ts';
import { useTeamReading } from '../../../team/use-team.ts';
import { EscalatePanel } from '../desk/EscalatePanel.tsx';
import deskClasses from '../desk/ReportDesk.module.css';
import { narrowestList, ReportKinds, TeamOffer, useListWidth, widestList } from '../desk/ReportDesk.tsx';
import { focusNoteField } from '../desk/use-report-desk.ts';
import detailClasses from '../detail/ReportDetail.module.css';
import { useHold } from '../evidence/use-hold.ts';
import { AppealDetail, AppealList, type AppealRow, NoAppeal, useSortedAppeals } from './Appeals.tsx';
import { CaseReportDetail, NoCase } from './CaseDetail.tsx';
import { CaseEvidence } from './CaseEvidence.tsx';
import { CaseFilterMenu, roomsOf } from './CaseFilterMenu.tsx';
import { CaseList } from './CaseList.tsx';
import { CasesBody, CasesHeading, OrderMenu } from './CaseListParts.tsx';
import { CaseQueues } from './CaseQueues.tsx';
import { CaseReports } from './CaseReports.tsx';
import { type CaseMenu, CaseStrip } from './CaseStrip.tsx';
import classes from './Cases.module.css';
import { caseCommands } from './case-commands.tsx';
import { queueNames } from './case-names.ts';
import { type CaseQueue, type CaseSearch, caseQueues, filterNames, hasFilters } from './case-search.ts';
import { type CaseReport, type CaseRow, type Marks, reportsInOrder, verdictOf } from './cases.ts';
import { casesList } from './team-queues.ts';
import { useCaseMoves } from './use-case-moves.ts';
import { useCaseTriage } from './use-case-triage.ts';
import { useCases } from './use-cases.ts';

const CaseViewDialog = lazy(async () => ({ default: (await import('./CaseViewDialog.tsx')).CaseViewDialog }));

/** The search parameters of the open case. */
const openRow = ['case', 'report'];

const noFilters = Object.fromEntries(filterNames.map((each) => [each, undefined])) as Partial<CaseSearch>;

const PolicyPanel = lazy(async () => ({ default: (await import('../desk/PolicyPanel.tsx')).PolicyPanel }));

const MessageReportersPanel = lazy(async () => ({
  default: (await import('./MessageReportersPanel.tsx')).MessageReportersPanel,
}));

/** Reports of all kinds as cases. The address holds the queue, the search, the open case and its report. */
export function CasesScreen() {
  const server = useServer();
  const queryClient = useQueryClient();
  const search = useSearch({ from: '/frame/server/reports/cases' });
  const navigate = useNavigate({ from: '/reports/cases' });
  const { queue = 'open', text, case: currentKey } = search;
  const cases = useCases(search);
  const { rows, all, marks, name, order, teamQueue } = cases;
  const current = useMemo(() => all.find(({ key }) => key === currentKey), [all, currentKey]);

  const appeals = useSortedAppeals();
  const reading = useTeamReading();
  const [leftKey, setLeftKey] = useState<string>();
  const [menu, setMenu] = useState<CaseMenu>();
  const [isSorting, setSorting] = useState(false);
  const [upholding, setUpholding] = useState<CaseRow>();
  const [escalating, setEscalating] = useState<CaseRow>();
  const [isMessaging, setMessaging] = useState(false);
  const hold = useHold();
  const listElement = useRef<HTMLDivElement>(null);
  const detailElement = useRef<HTMLElement>(null);
  const filterElement = useRef<HTMLInputElement>(null);

  const change = useCallback(
    (changes: Partial<CaseSearch>) => navigate({ search: (now) => ({ ...now, ...changes }) }),
    [navigate],
  );
  const open = useCallback(
    (key: string | undefined, step: 'click' | 'key') => {
      setLeftKey(undefined);
      return navigate({
        search: (now) => ({ ...now, case: key, report: undefined }),
        replace: step === 'key',
      });
    },
    [navigate],
  );
  const me = server.connection.userId;
  const isTaken = (row: CaseRow | AppealRow) =>
    'decisions' in row
      ? (row.decisions.assignee != null && row.decisions.assignee !== me) ||
        row.reports.some(
          (report) =>
            isBeingDecided(server, report) ||
            teamOf(server).snapshot().viewers(`${report.of} ${report.id}`).length > 0,
        )
      : row.decision !== undefined || row.of.by === me;
  const isOnAppeals = queue === 'appeals';
  const moves = useCaseMoves<CaseRow | AppealRow>({
    name: isOnAppeals ? 'appeals' : name,
    rows: isOnAppeals ? appeals : rows,
    places: isOnAppeals ? appeals.map(({ key }) => key) : cases.places,
    currentKey,
    isTaken,
    open,
  });
  const { goTo } = moves;
  const triage = useCaseTriage({
    marks,
    onDecide: (state) => (teamQueue || queue !== 'resolved') && state !== 'open' && moves.openNext(),
    onUphold: setUpholding,
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns for another report
  useLayoutEffect(() => {
    detailElement.current?.scrollTo(0, 0);
  }, [shown?.of, shown?.id]);

  // The next case is loaded before its key is pressed.
  const nextReport = useMemo(() => {
    const next = rows[rows.findIndex(({ key }) => key === currentKey) + 1];
    return next && reportsInOrder(next)[0];
  }, [rows, currentKey]);
  useEffect(() => {
    if (nextReport?.event) void queryClient.prefetchQuery(eventReportQuery(server, nextReport.id));
  }, [queryClient, server, nextReport]);

  /** A repeated key would decide a case that hasn't been shown. */
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
  const focusList = () => {
    const targets = [listElement.current, detailElement.current, document.querySelector('main')];
    targets
      .find((target) => target?.checkVisibility({ visibilityProperty: true }))
      ?.focus({ preventScroll: true });
  };
  function showList() {
    flushSync(() => setLeftKey(currentKey));
    focusList();
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
    listElement.current?.scrollTo(0, 0);
    focusList();
  }

  const showQueue = (next: CaseQueue) =>
    void change({ queue: next === 'open' ? undefined : next, view: undefined, order: undefined });
  const showTeamQueue = (key: string) => void change({ ...noFilters, queue: undefined, view: key });
  const usualOrder = teamQueue ? 'oldest' : 'urgent';

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
      message: () => decide(() => setMessaging(true)),
      escalate: () => decide(setEscalating),
      reopen: () => decide(triage.reopen),
      assign,
      hold: () => decide(holdCase),
      openMenu: setMenu,
      openOrder: () => setSorting(true),
      focusFilter() {
        flushSync(() => setLeftKey(currentKey));
        filterElement.current?.focus();
      },
      focusDetail() {
        flushSync(() => setLeftKey(undefined));
        detailElement.current?.focus();
      },
      focusNote() {
        flushSync(() => setLeftKey(undefined));
        focusNoteField(detailElement.current);
      },
      showList,
      showNew: () => void showNew(),
      clearFilters: hasFilters(search) ? () => void change(noFilters) : undefined,
    }),
  );

  const listWidth = useListWidth();
  const width = useSyncExternalStore(listWidth.subscribe, listWidth.read);
  const openAppeal = appeals.find(({ key }) => key === currentKey);
  const isListShown = currentKey === undefined || leftKey === currentKey;
  return (
    <div
      className={deskClasses.screen}
      data-pane={isListShown ? 'list' : 'report'}
      style={{ '--list-width': `${width}px` } as CSSProperties}
    >
      <div className={deskClasses.list}>
        <h1 className={deskClasses.hidden}>{i18n.t('Cases')}</h1>
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
              listRef={listElement}
              onOpen={(key) => goTo(key, 'click')}
            />
          </>
        ) : (
          <>
            <search className={classes.filters} aria-label={i18n.t('Filters')}>
              <SearchField
                label={i18n.t('Search cases')}
                value={text}
                inputRef={filterElement}
                onChange={(next) => change({ text: next })}
              />
              <CaseFilterMenu search={search} cases={all} onChange={change} />
              <OrderMenu
                order={order}
                opened={isSorting}
                onOpen={setSorting}
                onOrder={(next) => change({ order: next === usualOrder ? undefined : next })}
              />
              <SavedViews
                list={casesList}
                isBesideField
                openRow={openRow}
                dialog={(props) => (
                  <Suspense>
                    <CaseViewDialog {...props} rooms={roomsOf(all)} position={cases.teamCounts.length + 1} />
                  </Suspense>
                )}
              />
            </search>
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
                listRef={listElement}
                onPress={(key) => goTo(key, 'click')}
              />
            </CasesBody>
          </>
        )}
      </div>
      <ResizeHandle
        label={i18n.t('List width')}
        width={width}
        min={narrowestList}
        max={widestList(width)}
        className={deskClasses.edge}
        onResize={listWidth.write}
      />
      <div className={deskClasses.detail}>
        <UnstyledButton className={deskClasses.back} onClick={showList}>
          <IconArrowLeft size={14} stroke={1.7} aria-hidden />
          {i18n.t('Back to list')}
        </UnstyledButton>
        {current && (
          <CaseStrip
            row={current}
            now={cases.now}
            menu={menu}
            onMenu={setMenu}
            onAssign={assign}
            onHold={() => holdCase(current)}
            isHolding={hold.isPending}
            onDecide={(changes, done) => triage.decide(current, changes, done)}
          />
        )}
        {current && <CaseEvidence row={current} />}
        {shown && reports.length > 1 && (
          <CaseReports
            reports={reports}
            current={shown}
            marks={marks}
            accuracy={cases.accuracy}
            onOpen={openReport}
          />
        )}
        <section
          ref={detailElement}
          className={`${detailClasses.detail} ${classes.detail}`}
          aria-label={i18n.t('Report')}
          tabIndex={current ? 0 : -1}
        >
          {current && shown ? (
            <ActedReportsContext value={actedReports}>
              <CaseReportDetail
                key={`${shown.of} ${shown.id}`}
                report={shown}
                state={reportStateOf(current)}
                onMark={(state, verdict) => {
                  if (state === 'escalated') {
                    if (current.state === 'escalated') triage.reopen(current);
                    else setEscalating(current);
                  } else if (
                    current.state === 'resolved' &&
                    (!verdict || verdict === verdictOf(current, marks))
                  ) {
                    triage.reopen(current);
                  } else triage.resolve(current, verdict);
                }}
                onMessage={() => setMessaging(true)}
                onActed={({ reviewed }) => {
                  if (reviewed) moves.openNext();
                  // The case's next unresolved report.
                  else void navigate({ search: ({ report: _, ...now }) => now, replace: true });
                  focusList();
                }}
              />
            </ActedReportsContext>
          ) : isOnAppeals ? (
            openAppeal ? (
              <AppealDetail appeal={openAppeal} />
            ) : (
              appeals.length > 0 && <NoAppeal />
            )
          ) : (
            !cases.isLoading &&
            (rows.length > 0 || currentKey !== undefined) && <NoCase isMissing={currentKey !== undefined} />
          )}
        </section>
      </div>
      {upholding && (
        <Suspense>
          <PolicyPanel
            count={upholding.unresolved.length || 1}
            viewed={upholding.reports}
            onClose={() => setUpholding(undefined)}
            onChoose={(policy) => {
              setUpholding(undefined);
              triage.uphold(upholding, policy);
            }}
          />
        </Suspense>
      )}
      {isMessaging && current && actedReports && (
        <Suspense>
          <MessageReportersPanel
            key={current.key}
            row={current}
            acted={actedReports}
            verdict={verdictOf(current, marks)}
            onClose={() => setMessaging(false)}
            onResolve={(verdict, policy, onDecided) => triage.resolveAs(current, verdict, policy, onDecided)}
          />
        </Suspense>
      )}
      {escalating && (
        <EscalatePanel
          reportIds={escalating.unresolved.map(({ id }) => id)}
          viewed={escalating.reports}
          opened
          onClose={() => setEscalating(undefined)}
          onEscalate={(reason) => {
            setEscalating(undefined);
            triage.escalate(escalating, reason);
          }}
        />
      )}
    </div>
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

/** The state for the buttons beside the report: that of the case. */
function reportStateOf({ state }: CaseRow): ReportState {
  if (state === 'escalated') return 'escalated';
  return state === 'resolved' ? 'reviewed' : 'open';
}
