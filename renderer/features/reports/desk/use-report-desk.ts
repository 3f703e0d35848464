import { useCallback, useEffect, useRef, useState } from 'react';
import { useAwaitedAction } from '../../../actions/bar/use-awaited-action.ts';
import { useWay } from '../../../console-context.ts';
import type { ReportKind, ReportState, Subject } from '../../../team/entries.ts';
import { useAreMarksKnown, useMarks, useOfTeam } from '../../../team/use-team.ts';
import type { Queue } from '../report-search.ts';
import { isListComing, type Listing } from './ListBody.tsx';
import type { ListControl } from './ReportList.tsx';
import type { ReportRows } from './report-rows.ts';
import { useTombstones } from './report-rows.ts';
import { useReportSelection } from './report-selection.ts';
import { commonState, type FindFrom, useTriage } from './use-triage.ts';

export type ReportDesk<Report extends { id: number }> = ReturnType<typeof useReportDesk<Report>>;

type Options<Report> = {
  /** What the reports are on. */
  of: ReportKind;
  /** Names the list: another one begins without selected reports, at a place of its own. */
  name: string;
  rows: ReportRows<Report>;
  query: Listing['query'];
  stage: Listing['stage'];
  /** All of the list is known, and there is nothing in it. */
  isEmpty: boolean;
  /** Some of what is on screen could not be loaded. */
  isMissing: boolean;
  currentId: number | undefined;
  queue: Queue | undefined;
  findFrom?: FindFrom<Report> | undefined;
  /** Puts a report into the address, or none. A click is a step that Back returns from; a key's walk is not. */
  open: (reportId: number | undefined, step: 'click' | 'key') => unknown;
  /** What a report is on, as far as that is loaded. */
  subjectsOf: (reportId: number) => readonly Subject[];
  /** Loads what is shown of a report, before it is opened. */
  prefetch: (reportId: number) => unknown;
  /** Whether the report itself is shown, or why it isn't, rather than its skeleton. */
  isShown: (reportId: number) => boolean;
};

/** What a person works through reports by, whatever these are on: the selection, the marks, and where the keys go. */
export function useReportDesk<Report extends { id: number }>(options: Options<Report>) {
  const {
    of,
    name,
    rows,
    query,
    stage,
    isEmpty,
    isMissing,
    currentId,
    queue,
    findFrom,
    open,
    prefetch,
    isShown,
    subjectsOf,
  } = options;
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
    isEmpty,
    isMissing,
    currentId,
    tombstones: useTombstones(of),
    open,
    scrollToRow: useCallback((row: number) => listControl.current?.scrollToRow(row, 'nearest'), []),
  });

  const listing = { query, stage, queue, areMarksComing };
  const isComing = isListComing(listing);
  const { awaited, wait } = useAwaitedAction(
    isComing ? 'awaited' : rows.count > 0 ? 'known' : 'failed',
    selection.move,
    `${name} ${currentId}`,
  );

  useWay(selection.isOnTheWay, name, currentId);

  const onScreen = useRef(true);
  useEffect(() => {
    onScreen.current = true;
    return () => {
      onScreen.current = false;
    };
  }, []);
  /** Reports can come back while another screen is open; nobody is led away from it. */
  const restore = useCallback(
    (restored: readonly number[]) => void (onScreen.current && open(restored[0], 'key')),
    [open],
  );
  const triage = useTriage({
    of,
    rows,
    findFrom,
    queue,
    selection,
    onEscalate: useCallback((reportIds) => setEscalating({ reportIds, opened: true }), []),
    subjectsOf,
    onRestored: restore,
  });

  // The report that comes next is there when its key is pressed.
  const currentRow = currentId === undefined ? -1 : rows.rowOf(currentId);
  const nextId = currentRow === undefined ? undefined : rows.at(currentRow + 1)?.id;
  useEffect(() => {
    if (nextId !== undefined) prefetch(nextId);
  }, [prefetch, nextId]);

  const focusList = useCallback(() => {
    // An empty list has no element to focus.
    const target = listElement.current ?? document.querySelector('main');
    target?.focus({ preventScroll: true });
  }, []);

  return {
    selection,
    triage,
    marks,
    current: currentRow === undefined ? undefined : rows.at(currentRow),
    /** Shows reports that came back. */
    restore,
    focusList,
    keepList,
    listControl,
    detailElement,
    filterElement,
    /** Selects reports as soon as they are gathered, or takes them out, if their list is still the one that is shown. */
    async select(gathering: Promise<readonly Report[]>, isSelected = true) {
      const gathered = await gathering.catch(() => undefined);
      // What could not be loaded stays as it is: the button is still there.
      if (gathered && shownName.current === name) selection.set(gathered, isSelected);
    },
    /** Begins the list anew, and goes where what came in stands. */
    async showNew(renewing: Promise<unknown>, end: 'top' | 'bottom') {
      await renewing;
      listControl.current?.scrollToRow(end === 'top' ? 0 : rows.count, 'nearest');
      focusList();
    },
    /** After something was done about the open report. */
    goOn() {
      triage.nextUnreviewed();
      focusList();
    },
    stateOf: (reportId: number | undefined): ReportState => marks.get(reportId ?? 0)?.state ?? 'open',
    selectedState: () => commonState([...selection.selected], marks),
    /** What the panel that asks before reports are escalated is given. */
    escalation: {
      ...escalating,
      onClose: () => setEscalating({ ...escalating, opened: false }),
      onEscalate(reason: string) {
        setEscalating({ ...escalating, opened: false });
        triage.escalateFor(escalating.reportIds, reason);
      },
    },
    /** What the list's body is given. */
    body: { ...listing, awaited: awaited?.label },
    /** What the list is given. */
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
    /** What the keys are given. */
    keys: {
      selection,
      triage,
      isShown,
      move: isComing ? wait : selection.move,
      focusFilter: () => filterElement.current?.focus(),
      focusDetail: () => void (currentId !== undefined && detailElement.current?.focus()),
      focusList,
      isInDetail: () => detailElement.current?.contains(document.activeElement) === true,
    },
  };
}
