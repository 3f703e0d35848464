/**
 * Scans reports in order while others are added and deleted: no report is returned twice, and none that existed
 * throughout is missed.
 */
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { maximumReportsPerPage } from '../../../shared/api/reports.ts';
import { NotFound } from '../../transport/refusal.ts';
import type { UnexpectedEntry } from '../lenient.ts';
import { withPause } from '../scan-pace.ts';
import { isReadable } from './listed-reports.ts';
import { countBefore, isBefore, type Moment } from './report-order.ts';
import type { AnyReport, AskReports, ReportOrder, ReportSource } from './report-source.ts';

/** Scan position: the next offset, and the last report returned. */
export type WalkPlace<Report> = { from: number; last: Report | undefined };
export type WalkStep<Report> = {
  reports: Report[];
  /** Unreadable entries among them. */
  unexpected?: UnexpectedEntry[];
  next: WalkPlace<Report> | undefined;
  total: number;
  /** Requested IDs that don't exist. */
  gone?: number[];
};

/** `inSpan` is the number of reports in the span that is scanned. */
type SpanPlace<Report> = WalkPlace<Report> & { inSpan?: number };

export const walkStart: WalkPlace<never> = { from: 0, last: undefined };

/**
 * Returns up to `limit` reports after a position. Each page overlaps with the last report returned. If that isn't on
 * it, earlier reports were deleted, so the page is loaded again from further back.
 */
export async function nextReports<Report extends Moment>(
  ask: AskReports<Report>,
  dir: ReportOrder,
  { from: requested, last }: WalkPlace<Report>,
  limit: number,
): Promise<WalkStep<Report>> {
  for (let [from, back] = [requested, 1]; ; from = Math.max(0, from - back), back *= 4) {
    const page = await ask({ dir, from, limit });
    const [first] = page.event_reports;
    const isAfterAll = last !== undefined && (!first || isBefore(dir, last, first));
    if (isAfterAll && from > 0) continue;
    const listed = last ? page.event_reports.filter((each) => isBefore(dir, last, each)) : page.event_reports;
    const reports = listed.filter(isReadable);
    const lastReadable = page.event_reports.findLastIndex(isReadable);
    const next = { from: Math.max(0, from + lastReadable), last: reports.at(-1) ?? last };
    // Some totals count reports that are never listed.
    const isStuck = reports.length === 0 && from === requested && next.from <= requested;
    const isEnd = page.next_token === undefined || isStuck;
    // The next page overlaps with the last report.
    const read = isEnd ? listed : listed.slice(0, listed.findLastIndex(isReadable) + 1);
    return {
      reports,
      unexpected: read.flatMap(({ unexpected }) => unexpected ?? []),
      next: isEnd ? undefined : next,
      total: page.total,
    };
  }
}

/** Yields all matching reports, up to a thousand at a time. */
export async function* walkReports<Report extends Moment>(
  ask: AskReports<Report>,
  dir: ReportOrder,
): AsyncGenerator<WalkStep<Report>, void, void> {
  for (let place: WalkPlace<Report> | undefined = walkStart; place; ) {
    const step: WalkStep<Report> = await nextReports(ask, dir, place, maximumReportsPerPage);
    yield step;
    place = step.next;
  }
}

/** Fits into the outbox. */
export const maxGathered = 10_000;

/**
 * Returns matching reports, newest first, up to a limit.
 *
 * @param filter filters a page; scanning continues until the limit
 */
export async function gatherReports<Report extends Moment>(
  ask: AskReports<Report>,
  filter: (reports: Report[]) => readonly Report[] = (reports) => reports,
  most = maxGathered,
): Promise<Report[]> {
  const gathered: Report[] = [];
  for await (const { reports } of walkReports(ask, 'b')) {
    gathered.push(...filter(reports));
    if (gathered.length >= most) break;
  }
  return gathered.slice(0, most);
}

/** A short first page, to show results early. */
const firstPageSize = 100;
const pageSize = 500;

/** Returns the number of requests to scan this many reports. */
export const walkRequests = (reports: number) =>
  1 + Math.ceil(Math.max(0, reports - firstPageSize) / pageSize);

/** A time span, inclusive, in milliseconds since the Unix epoch. */
export type Span = { from: number; to: number };

/** Returns the offset and number of a span's reports. */
async function locateSpan(ask: AskReports<Moment>, dir: ReportOrder, { from, to }: Span) {
  const { total } = await ask({ dir, from: 0, limit: 1 });
  const before = (received_ts: number, id: number) => countBefore(ask, dir, { received_ts, id }, 0, total);
  const last = Number.MAX_SAFE_INTEGER;
  const [start, end] =
    dir === 'b'
      ? [await before(to, last), await before(from - 1, last)]
      : [await before(from, 0), await before(to + 1, 0)];
  return { from: start, last: undefined, inSpan: end - start };
}

/**
 * Pages through reports from one end, or those of a span.
 *
 * @param toEnd loads all of them: in larger pages, with pauses
 */
export const reportWalkQuery = <Report extends AnyReport>(
  source: ReportSource<Report>,
  dir: ReportOrder,
  span?: Span,
  toEnd = false,
) =>
  infiniteQueryOptions({
    queryKey: [source.server.id, 'report-walk', source.key, dir, span ?? null] as const,
    queryFn: async ({ pageParam, signal }: { pageParam: SpanPlace<Report>; signal: AbortSignal }) => {
      const ask = source.ask(signal);
      const isFirst = pageParam.last === undefined;
      const place: SpanPlace<Report> = span && isFirst ? await locateSpan(ask, dir, span) : pageParam;
      const limit = isFirst ? firstPageSize : toEnd ? maximumReportsPerPage : pageSize;
      const asking = nextReports(ask, dir, place, limit);
      const found = await (toEnd ? withPause(asking, place.from) : asking);
      const { inSpan } = place;
      if (!span || inSpan === undefined) return found;
      const reports = found.reports.filter(({ received_ts: at }) => at >= span.from && at <= span.to);
      const isOver = reports.length < found.reports.length || reports.length === 0 || inSpan === 0;
      const next = isOver ? undefined : found.next && { ...found.next, inSpan };
      return { reports, next, total: inSpan };
    },
    initialPageParam: walkStart as SpanPlace<Report>,
    getNextPageParam: ({ next }: WalkStep<Report>) => next,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

const idsPerPage = 50;

/** Loads reports by ID. `gone` has those that don't exist. */
export const knownReportsQuery = <Report extends AnyReport>(
  source: ReportSource<Report>,
  dir: ReportOrder,
  reportIds: readonly number[],
) =>
  infiniteQueryOptions({
    queryKey: [source.server.id, 'reports-by-id', source.key, dir, reportIds] as const,
    queryFn: async ({
      pageParam,
      client,
    }: {
      pageParam: WalkPlace<Report>;
      client: QueryClient;
    }): Promise<WalkStep<Report>> => {
      const ids = reportIds.toSorted((one, other) => (dir === 'b' ? other - one : one - other));
      const end = pageParam.from + idsPerPage;
      const turn = pLimit(4);
      const requested = ids.slice(pageParam.from, end);
      const details = await Promise.all(
        requested.map((id) => turn(() => client.fetchQuery(source.detail(id)).catch(unlessNotFound))),
      );
      const reports = details.filter((report) => report !== undefined && source.matches(report)) as Report[];
      const gone = requested.filter((_, index) => details[index] === undefined);
      const next = end < ids.length ? { from: end, last: reports.at(-1) ?? pageParam.last } : undefined;
      return { reports, next, total: ids.length, gone };
    },
    initialPageParam: walkStart as WalkPlace<Report>,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}

const maxAttempts = 5;

/**
 * Returns which of the loaded reports are gone, by bisection: a few requests for each. Repeated if the list changes in
 * between; finds none if it never stops changing.
 */
export async function goneReports(
  ask: AskReports<Moment>,
  dir: ReportOrder,
  known: readonly Moment[],
): Promise<number[]> {
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return [];
  for (let tries = 0; tries < maxAttempts; tries++) {
    const totals = new Set<number>();
    const watched: AskReports<Moment> = async (range) => {
      const page = await ask(range);
      totals.add(page.total);
      return page;
    };
    const gone = await goneOf(watched, dir, known, first, last);
    if (totals.size === 1) return gone;
  }
  return [];
}

async function goneOf(
  ask: AskReports<Moment>,
  dir: ReportOrder,
  known: readonly Moment[],
  first: Moment,
  last: Moment,
): Promise<number[]> {
  // New reports precede a list that begins with the newest.
  const before = dir === 'b' ? await countNewer(first) : 0;
  const at = await countBefore(ask, dir, last, before, before + known.length - 1);
  const [there] = (await ask({ dir, from: at, limit: 1 })).event_reports;
  return among(0, known.length, before, there?.id === last.id ? at + 1 : at);

  async function countNewer(report: Moment): Promise<number> {
    const limit = maximumReportsPerPage;
    const { event_reports: head, total } = await ask({ dir: 'b', from: 0, limit });
    const index = head.findIndex((each) => !isBefore('b', each, report));
    return index === -1 ? countBefore(ask, 'b', report, head.length, total) : index;
  }

  /** Compares the loaded reports from `start` to `end` with the server's from `low` to `high`, ends excluded. */
  async function among(start: number, end: number, low: number, high: number): Promise<number[]> {
    if (high - low >= end - start) return [];
    if (end - start <= 100) {
      const there = high > low ? (await ask({ dir, from: low, limit: high - low })).event_reports : [];
      const ids = new Set(there.map(({ id }) => id));
      return known.slice(start, end).flatMap(({ id }) => (ids.has(id) ? [] : [id]));
    }
    const middle = Math.floor((start + end) / 2);
    const least = Math.max(low, high - (end - middle));
    const most = Math.min(high, low + middle - start);
    const at = await countBefore(ask, dir, known[middle] as Moment, least, most);
    return [...(await among(start, middle, low, at)), ...(await among(middle, end, at, high))];
  }
}
