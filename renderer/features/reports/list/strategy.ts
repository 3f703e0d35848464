import type { Mark } from '../../../../shared/team/entries.ts';
import { walkRequests } from '../../../api/reports/report-walk.ts';
import { marksUpTo } from '../../../team/open-counts.ts';
import { isByTime, isNarrowed, isWhole, type ListSearch, type Queue } from '../report-search.ts';

/** Extent of a scan without a click: until the screen is full, `batchSize` reports, or to the end. */
export type Reach = 'screenful' | 'batch' | 'end';

export type Strategy =
  /** The server's own list, in which each report has its row. `hidesMarked` leaves out those with a mark. */
  | { kind: 'window'; hidesMarked: boolean }
  /** Reads the server's list in order and keeps the matches. */
  | { kind: 'scan'; reach: 'screenful' | 'batch' }
  /** Loads the reports of a queue by their ids. */
  | { kind: 'ids'; ids: readonly number[]; reach: 'screenful' | 'batch' }
  /**
   * One row for all reports on the same subject. `isLong`: too many to sort within a group, so the server's order is
   * used.
   */
  | { kind: 'groups'; ids?: readonly number[]; reach: 'batch' | 'end'; isLong: boolean };

type ListFacts = {
  /** Number of reports that match the server's filters, and the newest of them; undefined while that is loading. */
  frame: { size: number; latestId: number | undefined } | undefined;
  marks: ReadonlyMap<number, Mark>;
  areMarksLoading: boolean;
};

/** Grouping and sorting fewer reports would be misleading. */
export const batchSize = 5_000;

/** Resolved reports are loaded by id up to this number. */
const maxById = 200;

const stateOf: Partial<Record<Queue, Mark['state']>> = { escalated: 'escalated', resolved: 'reviewed' };

/**
 * Returns how a list is read; undefined while the facts that decide it are loading.
 *
 * @param before the current strategy, which is kept while the list is in use
 */
export function strategyOf(
  search: ListSearch,
  facts: ListFacts,
  before: Strategy | undefined,
): Strategy | undefined {
  const { queue, group } = search;
  const { frame, marks, areMarksLoading } = facts;
  const reach = isByTime(search) ? 'screenful' : 'batch';
  const state = queue && stateOf[queue];
  const idsBefore = before && 'ids' in before ? before.ids : undefined;
  if (before && !idsBefore) return before;
  if (state) {
    if (!frame) return before;
    const ids = idsOf(state, frame, marks, idsBefore);
    if (ids && ids === idsBefore) return before;
    if (ids)
      return group ? { kind: 'groups', ids, reach: 'batch', isLong: false } : { kind: 'ids', ids, reach };
  }
  if (group) {
    return frame && { kind: 'groups', reach: 'end', isLong: isWhole(search) && frame.size > batchSize };
  }
  if (state || isNarrowed(search) || !isByTime(search)) return { kind: 'scan', reach };
  if (!queue) return { kind: 'window', hidesMarked: false };
  if (!frame || areMarksLoading) return undefined;
  // If most reports are marked, most rows would disappear while loading.
  return marks.size * 2 <= frame.size ? { kind: 'window', hidesMarked: true } : { kind: 'scan', reach };
}

/**
 * Returns the ids of the reports with a mark, if loading each of them is cheaper than scanning: always for escalated
 * ones, which are few and can be far down. Those that lose the mark stay, so that nothing is loaded again.
 */
function idsOf(
  state: Mark['state'],
  { size, latestId }: NonNullable<ListFacts['frame']>,
  marks: ReadonlyMap<number, Mark>,
  before: readonly number[] | undefined,
): readonly number[] | undefined {
  const known = new Set(before);
  const more = marksUpTo(marks, latestId)
    .filter((mark) => mark.state === state && !known.has(mark.reportId))
    .map(({ reportId }) => reportId);
  if (before && more.length === 0) return before;
  const ids = [...known, ...more];
  const isCheap = ids.length <= maxById && more.length <= walkRequests(size);
  return state === 'escalated' || isCheap ? ids : undefined;
}
