import { i18n } from '@lingui/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { askReports, eventReportQuery } from '../../api/event-reports.ts';
import { gatherReports } from '../../api/report-walk.ts';
import { SampleDataHint } from '../../components/SampleDataHint.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { isDeletion } from '../../team/fold.ts';
import { useOfTeam } from '../../team/use-team.ts';
import type { Arrangement } from './ArrangeMenu.tsx';
import { ListBody, NotInList } from './desk/ListBody.tsx';
import { ReportDesk } from './desk/ReportDesk.tsx';
import { useReportDesk } from './desk/use-report-desk.ts';
import { OpenReport } from './detail/OpenReport.tsx';
import { EventList, EventSelection } from './EventList.tsx';
import { EventListHeading } from './EventListHeading.tsx';
import type { JumpTarget } from './JumpMenu.tsx';
import { rowOfTarget } from './JumpMenu.tsx';
import { LookedThrough } from './LookedThrough.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { useReportCommands } from './report-commands.tsx';
import type { ReportSearch } from './report-search.ts';
import { isFiltered, isWhole, withoutFilters } from './report-search.ts';
import { sieve } from './rows/sieve.ts';
import { useAddressSeek, useSteady } from './rows/use-address-seek.ts';
import { useLeftOut } from './rows/use-left-out.ts';
import { stageOf, useReportList } from './rows/use-report-list.ts';
import type { Subject } from './subjects/subjects.ts';
import { subjectsOfReport } from './subjects-of-report.ts';
import { useGoneEventMarks } from './use-gone-event-marks.ts';
import { useQueueCounts } from './use-queue-counts.ts';

// What is done to many is done seldom.

/** Reports on events: which one is open, and which filters hold, is in the address. */
export function ReportsScreen() {
  const { queryClient } = useConsole();
  const server = useServer();
  const search = useSearch({ from: '/frame/server/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const list = useReportList(search);
  const { rows, framed } = list;
  const counts = useQueueCounts(search, list);
  useGoneEventMarks(framed.goneByOthers, search.report);
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

  const desk = useReportDesk({
    of: 'report',
    name: `${server.id} ${JSON.stringify({ ...search, report: undefined })}`,
    rows,
    query: list.isWalked ? list.walk.query : framed.query,
    stage: stageOf(list, search),
    isMissing: list.isWalked ? list.walk.query.isError : framed.missing !== undefined,
    isEmpty: rows.count === 0 && (list.isWalked ? list.walk.isComplete : list.isFramed),
    currentId: search.report,
    queue: search.queue,
    findFrom: list.isSieved ? undefined : framed.findFrom,
    open,
    subjectsOf: useCallback(
      (id: number) => {
        const report = queryClient.getQueryData(eventReportQuery(server, id).queryKey);
        return report ? subjectsOfReport(report) : [];
      },
      [queryClient, server],
    ),
    prefetch: useCallback(
      (id: number) => queryClient.prefetchQuery(eventReportQuery(server, id)),
      [queryClient, server],
    ),
    isShown: (id) =>
      (queryClient.getQueryState(eventReportQuery(server, id).queryKey)?.status ?? 'pending') !== 'pending',
  });
  const { selection, triage, marks, focusList } = desk;
  useAddressSeek(search.report, list, (row) => desk.listControl.current?.scrollToRow(row, 'center'));

  const openOther = useCallback((report: number) => open(report, 'click'), [open]);
  const mark = useSteady(triage.toggle);
  const goOn = useSteady(desk.goOn);

  const gatherAll = () =>
    gatherReports(askReports(server, list.filter), (some) => sieve(some, search, marks, list.messages.read));
  const selectAll = async () =>
    list.isSieved && list.walk.isComplete ? selection.selectLoaded() : desk.select(gatherAll());

  async function gatherGroup({ reports, subject: asked }: Subject) {
    const all =
      isWhole(search) && asked
        ? await gatherReports(askReports(server, asked.filter)).catch(() => reports)
        : reports;
    return all.filter(({ event_id }) => asked?.eventId === undefined || event_id === asked.eventId);
  }

  const jump = useSteady(async (target: JumpTarget) => {
    const row = await rowOfTarget(target, list);
    if (row === undefined) return;
    selection.goTo(row);
    focusList();
  });

  useReportCommands({
    ...desk.keys,
    current: desk.current,
    search,
    openArrangement: setArranging,
    clearFilters: isFiltered(search) ? () => void change(withoutFilters) : undefined,
    change,
    jump,
    openJump: () => setJumpOpened(true),
    openExport: () => setExportOpened(true),
    showStatistics: () =>
      navigate({
        to: '/reports/statistics',
        search: { room: search.room, reporter: search.reporter, sender: search.sender },
      }),
    selectAll,
  });

  const wereDeleted = useOfTeam(
    ({ entries }) =>
      list.isFramed &&
      rows.count === 0 &&
      entries.some((entry) => entry.type === 'action' && isDeletion(entry)),
  );
  const heading = (
    <EventListHeading
      list={list}
      search={search}
      exportOpened={exportOpened}
      onOpenExport={setExportOpened}
      jumpOpened={jumpOpened}
      onOpenJump={setJumpOpened}
      onJump={jump}
      onShowNew={() =>
        desk.showNew(Promise.all([framed.renew(), list.walk.renew()]), list.dir === 'b' ? 'top' : 'bottom')
      }
    />
  );
  const leftOut = useLeftOut(search.report, search, list.filter, marks, list.messages.read);
  const isSelecting = selection.selected.size > 0;
  const counted = search.queue && counts[search.queue];
  const inQueue = typeof counted === 'number' ? counted : undefined;
  const found = list.walk.isComplete ? list.sieved.found : undefined;

  return (
    <ReportDesk
      title={i18n.t('Reports')}
      queue={search.queue}
      counts={counts}
      onQueue={change}
      filters={
        <ReportFilters
          search={search}
          reports={rows.loaded}
          inputRef={desk.filterElement}
          onChange={change}
          onLeave={focusList}
          arranging={arranging}
          onArrange={setArranging}
        />
      }
      heading={
        <>
          {isSelecting ? (
            <EventSelection
              selection={selection}
              reports={selection.reports}
              total={list.isSieved ? found : search.queue ? inQueue : framed.rows.count}
              state={desk.selectedState()}
              onSelectAll={selectAll}
              onMark={triage.toggle}
              onActed={({ reviewed }) => {
                // With what isn't decided about yet, one goes on.
                if (reviewed) {
                  triage.goOnAfter([...selection.selected]);
                  selection.clear();
                }
                focusList();
              }}
            />
          ) : (
            heading
          )}
          {list.isWalked && <LookedThrough search={search} list={list} />}
        </>
      }
      unexpected={list.isWalked ? list.walk.unexpected : framed.unexpected}
      list={
        <ListBody
          {...desk.body}
          onClear={() => change(withoutFilters)}
          onLookFurther={list.sieved.lookFurther}
          none={
            <>
              {i18n.t('This server has no event reports.')} {!wereDeleted && <SampleDataHint />}
            </>
          }
          notOffered={i18n.t("This server doesn't support event reports")}
        >
          <EventList
            list={list}
            search={search}
            desk={desk}
            onChange={change}
            onSelectGroup={(subject, isSelected) => desk.select(gatherGroup(subject), isSelected)}
          />
        </ListBody>
      }
      openId={search.report}
      isEmpty={list.isFramed && rows.count === 0}
      escalation={desk.escalation}
      detailRef={desk.detailElement}
    >
      {leftOut?.report && (
        <NotInList
          by={leftOut.by}
          onClear={() => change(leftOut.by === 'filters' ? withoutFilters : { queue: undefined })}
        />
      )}
      <OpenReport
        key={search.report}
        reportId={search.report ?? 0}
        listed={desk.current}
        state={desk.stateOf(search.report)}
        onFilter={change}
        onOpen={openOther}
        onMark={mark}
        onActed={goOn}
        selecting={isSelecting}
      />
    </ReportDesk>
  );
}
