/**
 * Filters report lists exactly. Synapse compares user IDs as LIKE patterns, in which `_` and `%` match other
 * characters, and versions before 1.122 ignore `event_sender_user_id`.
 */
import { maximumReportsPerPage } from '../../../shared/api/reports.ts';
import { isReadable, type Listed } from './listed-reports.ts';

type LoadPage<Report> = (range: { dir: 'b' | 'f'; from: number; limit: number }) => Promise<{
  event_reports: Listed<Report>[];
  total: number;
  next_token?: number;
}>;

type ExactFilter<Report> = {
  /** User IDs in the filter; room IDs are too random to match another one. */
  userIds: readonly (string | undefined)[];
  matches(report: Report): boolean;
};

/** Totals above this aren't verified; listed rows always are. */
const maxVerifiedTotal = 5_000;

/**
 * Wraps a page loader so that only exact matches are returned. Reads the list to its end if the server returns others.
 */
export function loadExact<Report extends { id: number }>(
  load: LoadPage<Report>,
  { userIds, matches }: ExactFilter<Report>,
): LoadPage<Report> {
  const matchesFilter = (report: Listed<Report>) => !isReadable(report) || matches(report);
  const isPattern = userIds.some((userId) => userId !== undefined && /[_%]/.test(userId));
  return async (range) => {
    const page = await load(range);
    const isWhole = range.from === 0 && page.next_token === undefined;
    const isTotalSure = !isPattern || isWhole || page.total > maxVerifiedTotal;
    if (isTotalSure && page.event_reports.every(matchesFilter)) return page;
    const all = isWhole ? page.event_reports : await readAll(load, range.dir);
    const exact = all.filter(matchesFilter);
    const end = range.from + range.limit;
    return {
      event_reports: exact.slice(range.from, end),
      total: exact.length,
      ...(end < exact.length && { next_token: end }),
    };
  };
}

/** Deduplicates reports that shift between pages. */
async function readAll<Report extends { id: number }>(load: LoadPage<Report>, dir: 'b' | 'f') {
  const all = new Map<number, Listed<Report>>();
  for (let from = 0; ; ) {
    const { event_reports: run, next_token } = await load({ dir, from, limit: maximumReportsPerPage });
    for (const report of run) all.set(report.id, report);
    if (next_token === undefined || run.length === 0) return [...all.values()];
    from += run.length;
  }
}
