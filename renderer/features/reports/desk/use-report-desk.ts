import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReportState, Subject } from '../../../../shared/team/entries.ts';
import { useDeferredAction } from '../../../actions/bar/use-deferred-action.ts';
import type { AnyReport } from '../../../api/reports/report-source.ts';
import { gatherReports } from '../../../api/reports/report-walk.ts';
import { useConsole, useDeferredShortcuts } from '../../../console-context.ts';
import { useGoneMarks } from '../../../team/use-deleted-report-marks.ts';
import { useAreMarksKnown, useMarks, useTeamValue } from '../../../team/use-team.ts';
import { filterReports } from '../list/filter.ts';
import { useLeftOut } from '../list/left-out.ts';
import { type ReportRows, useTombstones } from '../list/report-rows.ts';
import { useArrivals } from '../list/use-arrivals.ts';
import type { ReportList } from '../list/use-report-list.ts';
import { isListLoading } from './ListBody.tsx';
import type { ListControl } from './ReportList.tsx';
import { useReportSelection } from './report-selection.ts';
import { useAddressSeek } from './use-address-seek.ts';
import { usePanes } from './use-panes.ts';
import { commonState, useTriage } from './use-triage.ts';

export type ReportDesk<Report extends AnyReport> = ReturnType<typeof useReportDesk<Report>>;

type Options<Report extends AnyReport> = {
  list: ReportList<Report>;
  /** The rows on screen, which can be the list's in groups. */
  rows: ReportRows<Report>;
  /** Sets the report in the address. A click adds a history entry, moving by keys replaces it. */
  open: (reportId: number | undefined, step: 'click' | 'key') => unknown;
  /** Returns the subjects of a report. */
  subjectsOf: (report: Report) => readonly Subject[];
};

/** State and commands for working through reports: selection, marks, focus. */
export function useReportDesk<Report extends AnyReport>({ list, rows, ...options }: Options<Report>) {
  const { queryClient } = useConsole();
  const { name, source, search, strategy, status, messages } = list;
  const { of } = source;
  const { queue, report: currentId } = search;
  const panes = usePanes(currentId);
  const { showDetail, focusList } = panes;
  const { open: openInAddress } = options;
  const open = useCallback(
    (report: number | undefined, step: 'click' | 'key') => {
      showDetail();
      return openInAddress(report, step);
    },
    [openInAddress, showDetail],
  );
  const [escalating, setEscalating] = useState<{ reportIds: readonly number[]; opened: boolean }>({
    reportIds: [],
    opened: false,
  });
  /** Reports that are about to be resolved as upheld. */
  const [upholding, setUpholding] = useState<readonly number[]>();
  const marks = useMarks(of);
  const areMarksKnown = useAreMarksKnown();
  const areMarksLoading = useTeamValue((team) => team.areMarksLoading);
  const listControl = useRef<ListControl>(null);
  const firstName = useRef(name);
  const shownName = useRef(name);
  shownName.current = name;

  const selection = useReportSelection({
    name,
    rows,
    isEmpty: status.isEmpty,
    isMissing: status.isMissing,
    currentId,
    tombstones: useTombstones(of),
    open,
    scrollToRow: useCallback((row: number) => listControl.current?.scrollToRow(row, 'nearest'), []),
  });

  const listing = { query: status.query, stage: status.stage, queue, areMarksLoading };
  const isLoading = isListLoading(listing);
  const { awaited, defer: wait } = useDeferredAction(
    isLoading ? 'awaited' : rows.count > 0 ? 'known' : 'failed',
    selection.move,
    `${name} ${currentId}`,
  );

  useDeferredShortcuts(selection.isOpening, name, currentId);

  /** How many selections are still loading. */
  const gatherings = useRef(0);
  const onScreen = useRef(true);
  useEffect(() => {
    onScreen.current = true;
    return () => {
      onScreen.current = false;
    };
  }, []);
  /** Reports can be restored while another screen is open, which stays open. */
  const restore = useCallback(
    (restored: readonly number[]) => void (onScreen.current && open(restored[0], 'key')),
    [open],
  );
  const triage = useTriage({
    of,
    rows,
    findFrom: strategy?.kind === 'window' ? list.window.findFrom : undefined,
    queue,
    selection,
    onUphold: setUpholding,
    onEscalate: useCallback((reportIds) => setEscalating({ reportIds, opened: true }), []),
    subjectsOf(reportId) {
      const report = queryClient.getQueryData<Report>(source.detail(reportId).queryKey);
      return report ? options.subjectsOf(report) : [];
    },
    onRestored: restore,
  });
  const leftOut = useLeftOut(currentId, list);
  useGoneMarks(source, list.window.goneByOthers, currentId);
  useAddressSeek(list, (row) => listControl.current?.scrollToRow(row, 'center'));

  // The next report is loaded before its key is pressed.
  const currentRow = currentId === undefined ? -1 : rows.rowOf(currentId);
  const nextId = currentRow === undefined ? undefined : rows.at(currentRow + 1)?.id;
  useEffect(() => {
    if (nextId !== undefined) void queryClient.prefetchQuery(source.detail(nextId));
  }, [queryClient, source, nextId]);

  const renew = () => Promise.all([list.window.renew(), list.scan.renew()]);
  const isNothingOpen =
    status.stage === 'no reports' || (status.stage === 'queue empty' && queue === 'unreviewed');
  useArrivals(list.window.arrived, isNothingOpen, renew);

  /** Selects reports as soon as they are loaded, or deselects them, unless another list is shown by then. */
  async function select(gathering: Promise<readonly Report[]>, isSelected = true) {
    // After a failure, the button remains for another attempt.
    gatherings.current++;
    const gathered = await gathering.catch(() => undefined).finally(() => gatherings.current--);
    if (gathered && shownName.current === name) selection.set(gathered, isSelected);
  }

  async function selectAll() {
    if (strategy?.kind !== 'window' && list.scan.isComplete) return selection.selectLoaded();
    const matching = (some: Report[]) => filterReports(some, search, marks, messages);
    await select(gatherReports(source.ask(), matching));
  }

  return {
    selection,
    triage,
    marks,
    leftOut,
    current: currentRow === undefined ? undefined : rows.at(currentRow),
    panes,
    /** The pane shown in a window too narrow for both. With a multiple selection, that's the list. */
    pane: selection.selected.size > 0 ? 'list' : panes.pane,
    listControl,
    select,
    selectAll,
    /** Reopens the list with new reports, and shows them. */
    async showNew() {
      await renew();
      listControl.current?.scrollToRow(list.dir === 'b' ? 0 : rows.count, 'nearest');
      focusList();
    },
    /** Opens the next report after an action on the open one. */
    openNext() {
      triage.nextUnreviewed();
      focusList();
    },
    stateOf: (reportId: number | undefined): ReportState => marks.get(reportId ?? 0)?.state ?? 'open',
    selectedState: () => commonState([...selection.selected], marks),
    /** Props of the panel that asks for the policy; undefined while it's closed. */
    upholding: upholding && {
      count: upholding.length,
      viewed: upholding.map((id) => ({ of, id })),
      onClose: () => setUpholding(undefined),
      onChoose(policy: string | undefined) {
        setUpholding(undefined);
        triage.uphold(upholding, policy);
      },
    },
    /** Props of the escalation panel. */
    escalation: {
      ...escalating,
      viewed: escalating.reportIds.map((id) => ({ of, id })),
      onClose: () => setEscalating({ ...escalating, opened: false }),
      onEscalate(reason: string) {
        setEscalating({ ...escalating, opened: false });
        triage.escalateFor(escalating.reportIds, reason);
      },
    },
    /** Props of `ListBody`. */
    body: { ...listing, awaited: awaited?.label },
    /** Props of `ReportList`. */
    list: {
      name,
      opensAtCurrent: name === firstName.current,
      rows,
      currentId,
      selectedIds: selection.selected,
      marks,
      areMarksKnown,
      listRef: panes.listRef,
      controlRef: listControl,
      onPress: selection.press,
      onToggle: selection.toggle,
    },
    /** Context of the commands. */
    keys: {
      server: source.server,
      selection,
      selectAll,
      triage,
      isShown(reportId: number) {
        const state = queryClient.getQueryState(source.detail(reportId).queryKey);
        return state !== undefined && state.status !== 'pending';
      },
      isGathering: () => gatherings.current > 0,
      move: isLoading ? wait : selection.move,
      focusFilter: panes.focusFilter,
      focusDetail: () => currentId !== undefined && panes.focusDetail(),
      focusNote: panes.focusNote,
      showList: panes.showList,
      isInDetail: () => panes.detailElement.current?.contains(document.activeElement) === true,
    },
  };
}
