import { i18n } from '@lingui/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  type CSSProperties,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { askReports, eventReportQuery } from '../../api/event-reports.ts';
import { gatherReports } from '../../api/report-walk.ts';
import { WidthEdge } from '../../components/WidthEdge.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { useTeam } from '../../team/use-team.ts';
import { ReportDetail } from './detail/ReportDetail.tsx';
import type { JumpTarget } from './JumpMenu.tsx';
import { ListBody } from './ListBody.tsx';
import { ListHeading } from './ListHeading.tsx';
import { listWidth, narrowestList, widestList } from './list-width.ts';
import { isFiltered, isNarrowed, withoutFilters } from './narrowing.ts';
import { QueueTabs } from './QueueTabs.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { ReportKinds } from './ReportKinds.tsx';
import { type ListControl, ReportList } from './ReportList.tsx';
import { ReportListSkeleton } from './ReportListSkeleton.tsx';
import { ReportRow } from './ReportRow.tsx';
import classes from './ReportsScreen.module.css';
import { useReportCommands } from './report-commands.tsx';
import { useReportDeletion } from './report-deletion.tsx';
import type { ReportSearch } from './report-search.ts';
import { useReportSelection } from './report-selection.ts';
import { momentOfDay } from './rows/moment-of-day.ts';
import { sieve } from './rows/sieve.ts';
import { useReportList } from './rows/use-report-list.ts';
import type { Subject } from './subjects/subjects.ts';
import { useGoneMarks } from './use-gone-marks.ts';
import { useQueueCounts } from './use-queue-counts.ts';
import { commonState, useTriage } from './use-triage.ts';

// What is done to many is done seldom.
const SelectionBar = lazy(() => import('./SelectionBar.tsx'));
const LookedThrough = lazy(() => import('./LookedThrough.tsx'));
// Nothing depends on it.
const TeamOffer = lazy(() => import('./TeamOffer.tsx').catch(() => ({ default: () => null })));
const SubjectList = lazy(() => import('./subjects/SubjectList.tsx'));

/** The list on the left, the report on the right; which report and which filters is in the address. */
export function ReportsScreen() {
  const { queryClient, deletedReports } = useConsole();
  const server = useServer();
  const search = useSearch({ from: '/frame/server/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const { marks, areMarksKnown } = useTeam();
  const list = useReportList(search);
  const { rows, framed } = list;
  const counts = useQueueCounts(search, list);
  useGoneMarks(framed.goneByOthers, search.report);
  const width = useSyncExternalStore(listWidth().subscribe, listWidth().read);
  const listElement = useRef<HTMLElement>(null);
  const keepList = useCallback((element: HTMLElement | null) => {
    listElement.current = element;
  }, []);
  const listControl = useRef<ListControl>(null);
  const detailElement = useRef<HTMLElement>(null);
  const filterElement = useRef<HTMLInputElement>(null);
  const [jumpOpened, setJumpOpened] = useState(false);
  const [exportOpened, setExportOpened] = useState(false);
  const name = `${server.id} ${JSON.stringify({ ...search, report: undefined })}`;

  const firstName = useRef(name);

  /** A click is a step that Back returns from; walking through the list with keys is not. */
  const open = useCallback(
    (report: number | undefined, step: 'click' | 'key') =>
      navigate({ search: (current) => ({ ...current, report }), replace: step === 'key' }),
    [navigate],
  );
  const change = useCallback(
    (changes: Partial<ReportSearch>) => navigate({ search: (current) => ({ ...current, ...changes }) }),
    [navigate],
  );

  const selection = useReportSelection({
    name,
    rows,
    currentId: search.report,
    tombstones: useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id)),
    open,
    scrollToRow: useCallback((row: number) => listControl.current?.scrollToRow(row, 'nearest'), []),
  });
  const onScreen = useRef(true);
  useEffect(() => {
    onScreen.current = true;
    return () => {
      onScreen.current = false;
    };
  }, []);
  /** Reports can come back while another screen is open; nobody is led away from it. */
  const restore = useCallback(
    (restored: readonly number[]) => onScreen.current && open(restored[0], 'key'),
    [open],
  );
  const removeReports = useReportDeletion(restore);
  const triage = useTriage({
    rows,
    findFrom: list.isSieved ? undefined : framed.findFrom,
    queue: search.queue,
    selection,
    onRestored: restore,
  });

  // The report that comes next is there when its key is pressed.
  const currentRow = search.report === undefined ? -1 : rows.rowOf(search.report);
  const nextId = currentRow === undefined ? undefined : rows.at(currentRow + 1)?.id;
  useEffect(() => {
    if (nextId !== undefined) queryClient.prefetchQuery(eventReportQuery(server, nextId));
  }, [queryClient, server, nextId]);

  // An address can open a report that is far from the list's beginning: the list goes there.
  const { find, query } = framed;
  const isReady = query.data !== undefined && !list.isSieved && !search.group;
  const sought = useRef(search.report);
  useEffect(() => {
    const id = sought.current;
    if (!isReady || id === undefined) return;
    sought.current = undefined;
    const seek = async () => {
      const report = await queryClient.fetchQuery(eventReportQuery(server, id));
      const row = await find(report);
      if (row !== undefined) listControl.current?.scrollToRow(row, 'center');
    };
    // Where it is gone, the report's own place says so.
    seek().catch(() => {});
  }, [isReady, find, queryClient, server]);

  const focusList = useCallback(() => listElement.current?.focus({ preventScroll: true }), []);
  const remove = (reportIds: readonly number[]) => {
    selection.leave(reportIds);
    removeReports(reportIds);
    focusList();
  };

  /** What was gathered for a list that isn't shown any more is not selected in another. */
  const shownList = useRef(name);
  shownList.current = name;
  async function selectAll() {
    if (list.isSieved && list.walk.isComplete) return selection.selectLoaded();
    const all = await gatherReports(askReports(server, list.filter)).catch(() => undefined);
    // What could not be loaded stays as it is: the button is still there.
    if (all && shownList.current === name) selection.set(sieve(all, search, marks, list.messages.read), true);
  }

  async function selectGroup(subject: Subject, isSelected: boolean) {
    const { reports, subject: asked } = subject;
    const isWhole = asked && !search.queue && !isNarrowed(search);
    const all = isWhole
      ? await gatherReports(askReports(server, asked.filter)).catch(() => reports)
      : reports;
    if (shownList.current !== name) return;
    selection.set(
      all.filter(({ event_id }) => asked?.eventId === undefined || event_id === asked.eventId),
      isSelected,
    );
  }

  async function jump(target: JumpTarget) {
    const row = await rowOfTarget(target);
    if (row === undefined || rows.count === 0) return;
    selection.goTo(Math.min(rows.count - 1, Math.max(0, row)));
    focusList();
  }
  async function rowOfTarget(target: JumpTarget) {
    if (target === 'start') return 0;
    if (target === 'end') return rows.count - 1;
    if (target === 'middle') return Math.floor(rows.count / 2);
    const moment = momentOfDay(target.day, list.dir);
    return moment && find(moment);
  }

  async function showNew() {
    await Promise.all([framed.renew(), list.walk.renew()]);
    listControl.current?.scrollToRow(list.dir === 'b' ? 0 : rows.count, 'nearest');
    focusList();
  }

  useReportCommands({
    selection,
    triage,
    current: currentRow === undefined ? undefined : rows.at(currentRow),
    clearFilters: isFiltered(search) ? () => void change(withoutFilters) : undefined,
    change,
    remove,
    jump,
    openJump: () => setJumpOpened(true),
    openExport: () => setExportOpened(true),
    showStatistics: () =>
      navigate({
        to: '/reports/statistics',
        search: { room: search.room, reporter: search.reporter, sender: search.sender },
      }),
    focusFilter: () => filterElement.current?.focus(),
    focusDetail: () => detailElement.current?.focus(),
    focusList,
    isInDetail: () => detailElement.current?.contains(document.activeElement) === true,
    selectAll: () => void selectAll(),
  });

  const heading = (
    <ListHeading
      list={list}
      search={search}
      exportOpened={exportOpened}
      onOpenExport={setExportOpened}
      jumpOpened={jumpOpened}
      onOpenJump={setJumpOpened}
      onJump={jump}
      onShowNew={showNew}
    />
  );

  return (
    <div className={classes.screen} style={{ '--list-width': `${width}px` } as CSSProperties}>
      <div className={classes.list}>
        <h1 className={classes.hidden}>{i18n.t('Reports')}</h1>
        <ReportKinds />
        <QueueTabs queue={search.queue} counts={counts} onChange={change} />
        <ReportFilters
          search={search}
          reports={rows.loaded}
          inputRef={filterElement}
          onChange={change}
          onLeave={focusList}
        />
        {selection.selected.size > 0 ? (
          <Suspense fallback={heading}>
            <SelectionBar
              selection={selection}
              total={
                list.isSieved ? (list.walk.isComplete ? list.sieved.found : undefined) : framed.rows.count
              }
              state={commonState([...selection.selected], marks)}
              onSelectAll={selectAll}
              onMark={triage.toggle}
              onRemove={remove}
              onActed={({ reviewed }) => {
                // With what isn't decided about yet, one goes on.
                if (reviewed) selection.clear();
                focusList();
              }}
            />
          </Suspense>
        ) : (
          heading
        )}
        <Suspense>
          {(list.isSieved || search.group) && <LookedThrough search={search} list={list} />}
        </Suspense>
        <Suspense>
          <TeamOffer />
        </Suspense>
        <ListBody list={list} search={search} areMarksKnown={areMarksKnown} onChange={change}>
          {list.subjects ? (
            <Suspense fallback={<ReportListSkeleton />}>
              <SubjectList
                name={name}
                subjects={list.subjects}
                isWhole={!search.queue && !isNarrowed(search)}
                currentId={search.report}
                selectedIds={selection.selected}
                marks={marks}
                listRef={keepList}
                onPress={selection.press}
                onSelect={selection.set}
                onSelectGroup={selectGroup}
                onChange={change}
              />
            </Suspense>
          ) : (
            <ReportList
              key={name}
              name={name}
              opensAtCurrent={name === firstName.current}
              rows={rows}
              Row={ReportRow}
              currentId={search.report}
              selectedIds={selection.selected}
              marks={marks}
              areMarksKnown={areMarksKnown}
              listRef={keepList}
              controlRef={listControl}
              onPress={selection.press}
              onToggle={selection.toggle}
            />
          )}
        </ListBody>
      </div>
      <WidthEdge
        label={i18n.t('Width of the list')}
        width={width}
        narrowest={narrowestList}
        widest={widestList(width)}
        className={classes.edge}
        onResize={listWidth().write}
      />
      <div className={classes.detail}>
        <ReportDetail
          reportId={search.report}
          isEmpty={isReady && rows.count === 0}
          detailRef={detailElement}
          state={marks.get(search.report ?? 0)?.state ?? 'open'}
          onFilter={change}
          onOpen={(report) => open(report, 'click')}
          onRemove={remove}
          onMark={triage.toggle}
          onActed={() => {
            triage.nextUnreviewed();
            focusList();
          }}
          selecting={selection.selected.size > 0}
        />
      </div>
    </div>
  );
}
