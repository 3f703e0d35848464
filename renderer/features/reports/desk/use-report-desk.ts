import { useCallback, useEffect, useRef, useState } from 'react';
import { useAwaitedAction } from '../../../actions/bar/use-awaited-action.ts';
import type { AnyReport } from '../../../api/report-source.ts';
import { gatherReports } from '../../../api/report-walk.ts';
import { useConsole, useWay } from '../../../console-context.ts';
import type { ReportState, Subject } from '../../../team/entries.ts';
import { useAreMarksKnown, useMarks, useOfTeam } from '../../../team/use-team.ts';
import { filterReports } from '../list/filter.ts';
import { useLeftOut } from '../list/left-out.ts';
import { type ReportRows, useTombstones } from '../list/report-rows.ts';
import type { ReportList } from '../list/use-report-list.ts';
import { isListComing } from './ListBody.tsx';
import type { ListControl } from './ReportList.tsx';
import { useReportSelection } from './report-selection.ts';
import { useAddressSeek } from './use-address-seek.ts';
import { useGoneMarks } from './use-gone-marks.ts';
import { commonState, useTriage } from './use-triage.ts';

export type ReportDesk<Report extends AnyReport> = ReturnType<typeof useReportDesk<Report>>;

type Options<Report extends AnyReport> = {
  list: ReportList<Report>;
  /** The rows on screen, which can be the list's in groups. */
  rows: ReportRows<Report>;
  /** Puts a report into the address, or none. A click is a step that Back returns from; a key's walk is not. */
  open: (reportId: number | undefined, step: 'click' | 'key') => unknown;
  /** Returns what a report is on. */
  subjectsOf: (report: Report) => readonly Subject[];
};

/** State and commands for working through reports: the selection, the marks, and where the keys go. */
export function useReportDesk<Report extends AnyReport>({ list, rows, open, ...options }: Options<Report>) {
  const { queryClient } = useConsole();
  const { name, source, search, strategy, status, messages } = list;
  const { of } = source;
  const { queue, report: currentId } = search;
  const [escalating, setEscalating] = useState<{ reportIds: readonly number[]; opened: boolean }>({
    reportIds: [],
    opened: false,
  });
  const marks = useMarks(of);
  const areMarksKnown = useAreMarksKnown();
  const areMarksComing = useOfTeam((team) => team.areMarksComing);
  const listElement = useRef<HTMLElement>(null);
  const keepList = useCallback((element: HTMLElement | null) => {
    listElement.current = element;
  }, []);
  const listControl = useRef<ListControl>(null);
  const detailElement = useRef<HTMLElement>(null);
  const filterElement = useRef<HTMLInputElement>(null);
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

  const listing = { query: status.query, stage: status.stage, queue, areMarksComing };
  const isComing = isListComing(listing);
  const { awaited, wait } = useAwaitedAction(
    isComing ? 'awaited' : rows.count > 0 ? 'known' : 'failed',
    selection.move,
    `${name} ${currentId}`,
  );

  useWay(selection.isOnTheWay, name, currentId);

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

  const focusList = useCallback(() => {
    // An empty list has no element to focus.
    const target = listElement.current ?? document.querySelector('main');
    target?.focus({ preventScroll: true });
  }, []);

  /** Selects reports as soon as they are loaded, or deselects them, unless another list is shown by then. */
  async function select(gathering: Promise<readonly Report[]>, isSelected = true) {
    // A failure leaves the button that can be pressed again.
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
    focusList,
    keepList,
    listControl,
    detailElement,
    filterElement,
    select,
    selectAll,
    /** Reopens the list with new reports, and shows them. */
    async showNew() {
      await Promise.all([list.window.renew(), list.scan.renew()]);
      listControl.current?.scrollToRow(list.dir === 'b' ? 0 : rows.count, 'nearest');
      focusList();
    },
    /** Opens the next report after an action on the open one. */
    goOn() {
      triage.nextUnreviewed();
      focusList();
    },
    stateOf: (reportId: number | undefined): ReportState => marks.get(reportId ?? 0)?.state ?? 'open',
    selectedState: () => commonState([...selection.selected], marks),
    /** Props of the escalation panel. */
    escalation: {
      ...escalating,
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
      listRef: keepList,
      controlRef: listControl,
      onPress: selection.press,
      onToggle: selection.toggle,
    },
    /** Context of the commands. */
    keys: {
      selection,
      selectAll,
      triage,
      isShown(reportId: number) {
        const state = queryClient.getQueryState(source.detail(reportId).queryKey);
        return state !== undefined && state.status !== 'pending';
      },
      isGathering: () => gatherings.current > 0,
      move: isComing ? wait : selection.move,
      focusFilter: () => filterElement.current?.focus(),
      focusDetail: () => void (currentId !== undefined && detailElement.current?.focus()),
      focusList,
      isInDetail: () => detailElement.current?.contains(document.activeElement) === true,
    },
  };
}
