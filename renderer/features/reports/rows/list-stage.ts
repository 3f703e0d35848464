import type { ListStage } from '../desk/ListBody.tsx';
import { isFiltered } from '../narrowing.ts';
import type { ReportSearch } from '../report-search.ts';
import type { ReportListState } from './use-report-list.ts';

/** What there is to show of the list that the address names. */
export function stageOf(list: ReportListState, search: ReportSearch): ListStage {
  const { framed, walk, sieved, isSieved, isWalked } = list;
  const filtered = isFiltered(search);
  const isQueueEmpty = search.queue && !filtered;
  const emptyQueue = isSieved && !walk.isComplete ? 'not found yet' : 'queue empty';
  // Of those with a mark there may be none, and others all the same.
  const isAny = walk.looked > 0 || (walk.isOneByOne && framed.rows.count > 0);
  if (isWalked ? isAny : list.rows.count > 0) {
    if (!isWalked || sieved.found > 0) return 'found';
    if (sieved.goesOn) return 'looking';
    if (isQueueEmpty) return emptyQueue;
  }
  if (!isWalked && isQueueEmpty && framed.total > 0) return emptyQueue;
  return filtered ? 'filtered out' : 'no reports';
}
