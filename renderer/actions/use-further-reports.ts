import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { offeredQuery } from '../api/offered.ts';
import { mostGathered } from '../api/report-walk.ts';
import { useConsole, useServer } from '../console-context.ts';
import type { ReportKind } from '../team/entries.ts';
import { useOfTeam } from '../team/use-team.ts';
import type { Action } from './action.ts';
import { furtherReportsQuery, isUnasked, mostLookedIn, sourcesOf } from './further-reports.ts';
import type { Item } from './subject.ts';

export type FurtherReports = ReturnType<typeof useFurtherReports>;

/** The open reports on what is acted on, beside those that it is acted on because of, as far as one has looked. */
export function useFurtherReports({ settles }: Action, items: readonly Item[], isWantedAtFirst: boolean) {
  const server = useServer();
  const { deletedReports } = useConsole();
  const [isWanted, setWanted] = useState(isWantedAtFirst);
  const [isStopped, setStopped] = useState(false);
  const marksOf = useOfTeam((team) => team.marksOf);
  const areMarksComing = useOfTeam((team) => team.areMarksComing);
  const offered = useQuery(offeredQuery(server)).data;

  const [sources, isTooMany] = useMemo(() => {
    const all = settles ? sourcesOf(server, items, offered) : [];
    const isTooMany = all.length > mostLookedIn;
    return [isTooMany ? [] : all, isTooMany];
  }, [server, settles, items, offered]);
  const isBegun = sources.length > 0 && (isWanted || isUnasked(sources));
  const query = useInfiniteQuery({
    ...furtherReportsQuery(server, sources),
    enabled: isBegun,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query;

  const known = useMemo(() => {
    const own = new Set(
      items.flatMap(({ reports = [], reportKind = 'report' }) => reports.map((id) => `${reportKind} ${id}`)),
    );
    const gone = deletedReports.of(server.id);
    const open = new Map<string, Map<ReportKind, number[]>>();
    let [count, escalated] = [0, 0];
    for (const { source, found } of data?.pages ?? []) {
      const { of = 'report' } = sources[source] ?? {};
      for (const { id, on } of found) {
        if (own.has(`${of} ${id}`) || (of === 'report' && gone.has(id))) continue;
        const mark = marksOf[of].get(id)?.state;
        if (mark === 'escalated') escalated += 1;
        if (mark !== undefined || count === mostGathered) continue;
        count += 1;
        const ofItem = open.get(on) ?? new Map<ReportKind, number[]>();
        const ids = ofItem.get(of) ?? [];
        ids.push(id);
        open.set(on, ofItem.set(of, ids));
      }
    }
    return { open, count, escalated };
  }, [data, items, sources, marksOf, deletedReports, server.id]);

  const total = useMemo(() => {
    const last = new Map(data?.pages.map((page) => [page.source, page.total]));
    return { lists: last.size, reports: [...last.values()].reduce((sum, each) => sum + each, 0) };
  }, [data]);
  const looked = data?.pages.reduce((sum, page) => sum + page.looked, 0) ?? 0;
  const isCounted = total.lists === sources.length;
  const isFull = known.count >= mostGathered;
  const goesOn = isBegun && hasNextPage && !error && !isFull && (isCounted ? isWanted && !isStopped : true);

  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);

  return {
    ...known,
    /** Whether there are lists to look into. */
    isOffered: sources.length > 0,
    /** Whether there are so many lists that none of them is looked into. */
    isTooMany,
    /** Whether it is known how many reports there are to look through. */
    isCounted,
    total: total.reports,
    looked,
    isWanted,
    isFull,
    isStopped,
    isComplete: isCounted && !hasNextPage && !areMarksComing,
    isLooking: isBegun && !(isStopped && isCounted) && (isFetching || goesOn || (!error && areMarksComing)),
    error,
    want(wanted: boolean) {
      setWanted(wanted);
      setStopped(false);
      if (wanted && error) void fetchNextPage();
    },
    stop: () => setStopped(true),
    goOn() {
      setStopped(false);
      if (error) void fetchNextPage();
    },
  };
}
