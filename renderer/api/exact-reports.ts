/**
 * Filters report lists exactly. Synapse compares user IDs as LIKE patterns, in which `_` and `%` match other
 * characters, and versions before 1.122 ignore `event_sender_user_id`.
 */
import { maximumReportsPerPage } from '../../shared/api/reports.ts';
import { isReadable, type Listed } from './listed-reports.ts';

type Ask<Report> = (range: { dir: 'b' | 'f'; from: number; limit: number }) => Promise<{
  event_reports: Listed<Report>[];
  total: number;
  next_token?: number;
}>;

type Wanted<Report> = {
  /** User IDs in the filter; room IDs are too random to match another one. */
  userIds: readonly (string | undefined)[];
  matches(report: Report): boolean;
};

/** Totals above this aren't verified; listed rows always are. */
const mostCheckedForTotal = 5_000;

/**
 * Wraps a page loader so that only exact matches are returned. Reads the list to its end if the server returns others.
 */
export function exactly<Report extends { id: number }>(
  ask: Ask<Report>,
  { userIds, matches }: Wanted<Report>,
): Ask<Report> {
  const isWanted = (report: Listed<Report>) => !isReadable(report) || matches(report);
  const isPattern = userIds.some((userId) => userId !== undefined && /[_%]/.test(userId));
  return async (range) => {
    const page = await ask(range);
    const isWhole = range.from === 0 && page.next_token === undefined;
    const isTotalSure = !isPattern || isWhole || page.total > mostCheckedForTotal;
    if (isTotalSure && page.event_reports.every(isWanted)) return page;
    const all = isWhole ? page.event_reports : await readAll(ask, range.dir);
    const exact = all.filter(isWanted);
    const end = range.from + range.limit;
    return {
      event_reports: exact.slice(range.from, end),
      total: exact.length,
      ...(end < exact.length && { next_token: end }),
    };
  };
}

/** Deduplicates reports that shift between pages. */
async function readAll<Report extends { id: number }>(ask: Ask<Report>, dir: 'b' | 'f') {
  const all = new Map<number, Listed<Report>>();
  for (let from = 0; ; ) {
    const { event_reports: run, next_token } = await ask({ dir, from, limit: maximumReportsPerPage });
    for (const report of run) all.set(report.id, report);
    if (next_token === undefined || run.length === 0) return [...all.values()];
    from += run.length;
  }
}
