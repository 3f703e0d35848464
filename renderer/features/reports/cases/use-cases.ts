import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isMutedReporter } from '../../../../shared/team/cases.ts';
import { isAccurate } from '../../../../shared/team/rules.ts';
import { haveFiles } from '../../../../shared/team/word-lists.ts';
import { eventReports } from '../../../api/reports/event-reports.ts';
import { filedReports } from '../../../api/reports/filed-reports.ts';
import type { AnyReport, ReportSource } from '../../../api/reports/report-source.ts';
import { offeredQuery } from '../../../api/supported-endpoints.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { viewKind } from '../../../team/saved-views.ts';
import { useMarks, useTeamValue } from '../../../team/use-team.ts';
import { keepOrder } from '../list/groups.ts';
import { hashesOf, loadHashes } from '../list/message-files.ts';
import { useArrivals } from '../list/use-arrivals.ts';
import { useMessages } from '../list/use-messages.ts';
import { useReportList } from '../list/use-report-list.ts';
import { creationTimes, useTeamRules } from '../rules/rule-facts.ts';
import { type CaseQueue, type CaseSearch, caseQueues, filterNames, hasFilters } from './case-search.ts';
import {
  accuracies,
  type Case,
  caseRow,
  caseScript,
  gatherCases,
  isInQueue,
  severitiesByRules,
  sortCases,
} from './cases.ts';
import { isOverdue, isPending, meets, queueOf, teamQueues } from './team-queues.ts';

/** Scans the newest reports in batches, in any state: earlier decisions are part of a case. */
const newestBatch = { order: 'severity' } as const;

/** Number of messages that are loaded without a click, for their words. */
const maxMessages = 100;
/** Number of accounts that are loaded without a click, for rules on new accounts. */
const maxAccounts = 100;
const noTimes: ReadonlyMap<string, number> = new Map();
const noHashes: ReadonlyMap<string, string> = new Map();
const noFiles = { uris: [], hashes: [] };

export type CaseList = ReturnType<typeof useCases>;

/** The cases among the newest reports of all kinds, as the search describes. */
export function useCases(search: CaseSearch) {
  const { queue = 'open', view } = search;
  const server = useServer();
  const me = server.connection.userId;
  const { data: offered } = useQuery(offeredQuery(server));
  const sources = useMemo(() => {
    const users = filedReports(server, 'user', {});
    const rooms = filedReports(server, 'room', {});
    return {
      events: eventReports(server, {}),
      users: offered?.has('userReports') ? users : withoutReports(users),
      rooms: offered?.has('roomReports') ? rooms : withoutReports(rooms),
    };
  }, [server, offered]);
  const events = useReportList(sources.events, newestBatch);
  const users = useReportList(sources.users, newestBatch);
  const rooms = useReportList(sources.rooms, newestBatch);
  const lists = [events, users, rooms];
  const goesOn = lists.some(({ more }) => more?.goesOn);
  const isLoading =
    offered === undefined ||
    lists.some(({ status: { stage, query } }) => stage === 'looking' && !query.error);

  const marksOf = {
    report: useMarks(),
    user_report: useMarks('user_report'),
    room_report: useMarks('room_report'),
  };
  const { report, user_report, room_report } = marksOf;
  const marks = useMemo(() => ({ report, user_report, room_report }), [report, user_report, room_report]);
  const decisions = useTeamValue((team) => team.cases);
  const areMarksLoading = useTeamValue((team) => team.areMarksLoading);
  const messages = useMessages(true);
  const now = useMinute();

  const [onEvents, onUsers, onRooms] = [events.scan.reports, users.scan.reports, rooms.scan.reports];
  const cases = useMemo(() => gatherCases(onEvents, onUsers, onRooms), [onEvents, onUsers, onRooms]);
  const accuracy = useMemo(() => accuracies(cases, marks), [cases, marks]);
  const { read } = messages;
  const { rules, lists: wordLists, matchers } = useTeamRules();
  const fileHashes = useFileHashes(messages.files, cases, haveFiles(wordLists));
  const [createdAt, setCreatedAt] = useState<ReadonlyMap<string, number>>(noTimes);
  const ruled = useMemo(
    () =>
      severitiesByRules(cases, marks, rules, {
        matchers,
        isAccurate: (by) => isAccurate(accuracy.get(by)),
        createdAt: (userId) => createdAt.get(userId),
        messages: read,
        files: fileHashes,
        isMuted: (by) => isMutedReporter(decisions, by, now),
      }),
    [cases, marks, rules, matchers, accuracy, createdAt, read, fileHashes, decisions, now],
  );
  const views = useTeamValue((team) => team.documents(viewKind));
  const queues = useMemo(() => teamQueues(views), [views]);
  const teamQueue = queues.find(({ key }) => key === view);
  const { order = teamQueue ? 'oldest' : 'urgent' } = search;
  const all = useMemo(
    () =>
      cases.map((each) => {
        const base = caseRow(each, { marks, decisions, accuracy, now, ruled });
        const row = { ...base, script: caseScript(base, read) };
        return { ...row, teamQueue: queueOf(row, queues) };
      }),
    [cases, marks, decisions, accuracy, now, ruled, read, queues],
  );
  const filters = JSON.stringify(filterNames.map((name) => search[name]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the filters by value
  const sorted = useMemo(() => {
    const found = all.filter(
      (each) =>
        (teamQueue ? each.teamQueue === teamQueue && isPending(each) : isInQueue(each, queue, me)) &&
        meets(each, search),
    );
    return sortCases(found, order, teamQueue ? 'open' : queue);
  }, [all, filters, queue, teamQueue, me, order]);
  const counts = useMemo(
    () =>
      Object.fromEntries(
        caseQueues.map((each) => [each, all.filter((row) => isInQueue(row, each, me)).length]),
      ) as Record<CaseQueue, number>,
    [all, me],
  );
  const teamCounts = useMemo(
    () =>
      queues.map((each) => {
        const rows = all.filter((row) => row.teamQueue === each && isPending(row));
        return { ...each, count: rows.length, overdue: rows.filter((row) => isOverdue(row, now)).length };
      }),
    [all, queues, now],
  );
  const name = JSON.stringify([server.id, teamQueue?.key ?? queue, filters, order]);

  const isSettled = !isLoading && !goesOn && !areMarksLoading;
  useFirstMessages(sorted, messages, isSettled && queue !== 'resolved', haveFiles(wordLists));
  const areAgesNeeded = rules.some(({ on, when }) => on && when.account_days !== undefined);
  useFirstAges(sorted, setCreatedAt, isSettled && areAgesNeeded && queue !== 'resolved');
  const { rows, places, sort } = useStandingOrder(sorted, name, isSettled && messages.left === 0);

  const arrived = lists.reduce((sum, { window }) => sum + window.arrived, 0);
  const showNew = useCallback(async () => {
    await Promise.all([events, users, rooms].flatMap(({ window, scan }) => [window.renew(), scan.renew()]));
  }, [events, users, rooms]);
  const isNothingOpen =
    isSettled && rows.length === 0 && !hasFilters(search) && (queue === 'open' || queue === 'unassigned');
  useArrivals(arrived, isNothingOpen, showNew);

  return {
    rows,
    /** Keys of the cases in the list, and of those that left it, in their order. */
    places,
    sort,
    all,
    /** Identifies the list. */
    name,
    order,
    teamQueue,
    counts,
    teamCounts,
    now,
    marks,
    accuracy,
    messages: read,
    wordLists,
    isLoading: isLoading || areMarksLoading,
    error: events.status.query.error,
    refetch: events.status.query.refetch,
    arrived,
    showNew,
    /** Progress of the scan. */
    scan: {
      looked: lists.reduce((sum, { scan }) => sum + scan.looked, 0),
      total: lists.reduce((sum, { scan }) => sum + (scan.total ?? 0), 0),
      isComplete: lists.every(({ scan }) => scan.isComplete),
      goesOn,
      error: lists.map(({ scan }) => scan.query.error).find((error) => error !== null) ?? null,
      stop() {
        for (const { more } of lists) more?.stop();
      },
      further() {
        for (const { more } of lists) more?.further();
      },
    },
  };
}

/** Stands in for reports that the server doesn't list. */
const withoutReports = <Report extends AnyReport>(source: ReportSource<Report>): ReportSource<Report> => ({
  ...source,
  key: `${source.key} none`,
  ask: () => async () => ({ event_reports: [], total: 0 }),
});

/**
 * Loads messages of the first cases once: their words affect the priority.
 *
 * @param withNewest also those of the newest reports, for their files
 */
function useFirstMessages(
  rows: readonly ReturnType<typeof caseRow>[],
  messages: ReturnType<typeof useMessages>,
  isEnabled: boolean,
  withNewest: boolean,
) {
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isEnabled || isBegun.current || rows.length === 0) return;
    isBegun.current = true;
    const leads = rows.flatMap(({ lead }) => lead.event ?? []);
    const newest = rows.flatMap(({ unresolved }) => unresolved.find(({ event }) => event)?.event ?? []);
    void messages.load([...leads, ...(withNewest ? newest : [])].slice(0, maxMessages));
  }, [rows, messages, isEnabled, withNewest]);
}

/** Loads the hashes of files in the messages that are known, one request each. Returns those of a message. */
function useFileHashes(
  filesOf: ReturnType<typeof useMessages>['files'],
  cases: readonly Case[],
  isEnabled: boolean,
) {
  const server = useServer();
  const { queryClient } = useConsole();
  const [hashes, setHashes] = useState<ReadonlyMap<string, string>>(noHashes);
  const requested = useRef(new Set<string>());
  useEffect(() => {
    if (!isEnabled) return;
    const uris = cases
      .flatMap(({ reports }) =>
        reports.flatMap(({ event }) => (event && filesOf(event.event_id)?.uris) ?? []),
      )
      .filter((uri) => !requested.current.has(uri));
    if (uris.length === 0) return;
    for (const uri of uris) requested.current.add(uri);
    void loadHashes(queryClient, server, uris).then((loaded) =>
      setHashes((before) => new Map([...before, ...loaded])),
    );
  }, [isEnabled, cases, filesOf, queryClient, server]);
  return useCallback(
    (eventId: string) => hashesOf(filesOf(eventId) ?? noFiles, (uri) => hashes.get(uri)),
    [filesOf, hashes],
  );
}

/** Loads the accounts of the first cases once. */
function useFirstAges(
  rows: readonly ReturnType<typeof caseRow>[],
  onLoaded: (createdAt: ReadonlyMap<string, number>) => void,
  isEnabled: boolean,
) {
  const server = useServer();
  const { queryClient } = useConsole();
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isEnabled || isBegun.current || rows.length === 0) return;
    isBegun.current = true;
    const users = rows.flatMap(({ subject }) => (subject.kind === 'user' ? subject.userId : []));
    void creationTimes(queryClient, server, users.slice(0, maxAccounts)).then(onLoaded);
  }, [rows, onLoaded, isEnabled, queryClient, server]);
}

/**
 * Keeps cases in their places while the user works through them; new ones come after them.
 *
 * @param name identifies the list
 * @param isSettled whether enough is known for a meaningful order; cases move until then
 */
function useStandingOrder<Row extends { key: string }>(
  sorted: readonly Row[],
  name: string,
  isSettled: boolean,
) {
  const [kept, setKept] = useState<{ name: string; keys: readonly string[] }>();
  const keys = isSettled && kept?.name === name ? kept.keys : undefined;
  const rows = useMemo(() => (keys ? keepOrder(sorted, keys) : sorted), [sorted, keys]);
  const latest = useRef(sorted);
  useEffect(() => {
    latest.current = sorted;
  });
  const keep = useCallback(() => setKept({ name, keys: latest.current.map(({ key }) => key) }), [name]);
  useEffect(() => {
    if (isSettled) keep();
  }, [isSettled, keep]);
  const places = useMemo(() => {
    const known = new Set(keys);
    return [...known, ...rows.flatMap(({ key }) => (known.has(key) ? [] : [key]))];
  }, [keys, rows]);
  return { rows, places, sort: rows.some((row, place) => row !== sorted[place]) ? keep : undefined };
}

const minuteMs = 60_000;

/** Returns the time, updated every minute, because snoozes end. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
