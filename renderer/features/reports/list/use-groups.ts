import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { readJson } from '../../../../shared/read-json.ts';
import { type EventReportFilter, eventReportTotalQuery } from '../../../api/reports/event-reports.ts';
import { useServer } from '../../../console-context.ts';
import { isWhole, orderOf, type ReportSearch } from '../report-search.ts';
import { byTotals, grouper, groupsOf, keepOrder, type ReportGroup } from './groups.ts';
import type { ReportRows } from './report-rows.ts';
import type { ReportList } from './use-report-list.ts';

/** The reports of a list in groups, with rows that lead from one group into the next; undefined without grouping. */
export function useGroups(
  list: ReportList<EventReportItem>,
  search: ReportSearch,
  filter: EventReportFilter,
) {
  const { group } = search;
  const { strategy, scan, scanned } = list;
  const { loaded } = scanned.rows;
  const isLong = strategy?.kind === 'groups' && strategy.isLong;
  const order = orderOf(search);
  const grow = useMemo(() => group && grouper(group, filter, order), [group, filter, order]);
  const found = useMemo(() => {
    if (!grow || !group) return undefined;
    // A filtered list can change anywhere.
    return isLong ? grow(loaded) : groupsOf(loaded, group, filter, order);
  }, [grow, group, loaded, filter, order, isLong]);

  const name = JSON.stringify({ ...search, report: undefined });
  const isGuess = order === 'count' && isWhole(search) && !scan.isComplete && scanned.isSettled;
  const totals = useGroupTotals(found, isGuess, name);
  const ordered = useMemo(() => (found && totals ? byTotals(found, totals) : found), [found, totals]);
  const isSettled = scanned.isSettled && (!isGuess || totals !== undefined);
  const { groups, hold, sort } = useStandingOrder(ordered, name, isSettled);

  const { leftOutId, rows: ungrouped } = scanned;
  return useMemo(() => {
    if (!groups || !group) return undefined;
    const { rowOf, ...inOrder } = rowsInOrder(groups);
    const rows: ReportRows = {
      ...inOrder,
      rowOf,
      look: () => {},
      // In any order.
      loaded,
      placeOf(reportId) {
        const row = rowOf(reportId);
        if (row !== undefined || ungrouped.placeOf(reportId) === undefined) return row;
        const all = groupsOf(ungrouped.foundWith(reportId) ?? [], group, filter, order);
        const place = rowsInOrder(totals ? byTotals(all, totals) : all).rowOf(reportId) ?? 0;
        return reportId === leftOutId && place >= inOrder.count ? 0 : place;
      },
      seek: ungrouped.seek,
    };
    return { groups, hold, sort, rows, isLong };
  }, [groups, hold, sort, group, loaded, filter, order, totals, ungrouped, leftOutId, isLong]);
}

export type Groups = NonNullable<ReturnType<typeof useGroups>>;

/** Rows that go through one group after the other. Lookups are cached: groups can be very long. */
export function rowsInOrder(groups: readonly ReportGroup[]): Pick<ReportRows, 'count' | 'at' | 'rowOf'> {
  const starts: number[] = [];
  let count = 0;
  for (const { reports } of groups) {
    starts.push(count);
    count += reports.length;
  }
  const known = new Map<number, number | undefined>();
  function find(reportId: number): number | undefined {
    for (const [place, { reports }] of groups.entries()) {
      const index = reports.findIndex(({ id }) => id === reportId);
      if (index !== -1) return (starts[place] ?? 0) + index;
    }
    return undefined;
  }
  return {
    count,
    at(row) {
      const place = starts.findLastIndex((start) => start <= row);
      return groups[place]?.reports[row - (starts[place] ?? 0)];
    },
    rowOf(reportId) {
      if (!known.has(reportId)) known.set(reportId, find(reportId));
      return known.get(reportId);
    },
  };
}

type StoredOrder = { name: string; keys: readonly string[] };

/**
 * Keeps groups in their places while the pointer or the focus is among them, even if more arrive.
 *
 * @param name identifies the list
 * @param isSettled whether enough was read for a meaningful order; groups move until then
 */
function useStandingOrder(groups: readonly ReportGroup[] | undefined, name: string, isSettled: boolean) {
  const [isHeld, hold] = useState(false);
  const [kept, setKept] = useState<StoredOrder>();
  const keeps = isHeld && isSettled;
  const keys = keeps && kept?.name === name ? kept.keys : undefined;
  const standing = useMemo(() => (groups && keys ? keepOrder(groups, keys) : groups), [groups, keys]);

  const latest = useRef(groups);
  useEffect(() => {
    latest.current = groups;
  });
  const keep = useCallback(
    () => setKept({ name, keys: (latest.current ?? []).map(({ key }) => key) }),
    [name],
  );
  useEffect(() => {
    if (keeps) keep();
  }, [keeps, keep]);

  return {
    groups: standing,
    hold,
    /** Moves the groups into their order; undefined if they are in it. */
    sort: standing?.some((group, place) => group !== groups?.[place]) ? keep : undefined,
  };
}

const maxCountedGroups = 40;

type CountRequest = { name: string; of: readonly { key: string; filter: EventReportFilter }[] };
const nobody: CountRequest['of'] = [];

/**
 * Returns the server's number of reports in each of the first groups by their keys; undefined until all are known.
 * Groups by event are left out, as no filter names an event. The first groups are those of when it is enabled.
 *
 * @param name identifies the list
 */
function useGroupTotals(
  groups: readonly ReportGroup[] | undefined,
  enabled: boolean,
  name: string,
): ReadonlyMap<string, number> | undefined {
  const server = useServer();
  const [first, setFirst] = useState<CountRequest>();
  if (enabled && groups && first?.name !== name) setFirst({ name, of: firstOf(groups) });
  const counted = enabled && first?.name === name ? first.of : nobody;
  const keys = JSON.stringify(counted.map(({ key }) => key));
  return useQueries({
    queries: counted.map(({ filter }) => eventReportTotalQuery(server, filter)),
    combine: useCallback(
      (results: UseQueryResult<{ total: number }>[]) => {
        const names: string[] = readJson(keys);
        const known = results.flatMap(({ data }, index) =>
          data ? [[names[index] as string, data.total] as const] : [],
        );
        return known.length > 0 && known.length === results.length ? new Map(known) : undefined;
      },
      [keys],
    ),
  });
}

const firstOf = (groups: readonly ReportGroup[]): CountRequest['of'] =>
  groups
    .slice(0, maxCountedGroups)
    .flatMap(({ key, subject }) => (subject && !subject.eventId ? [{ key, filter: subject.filter }] : []));
