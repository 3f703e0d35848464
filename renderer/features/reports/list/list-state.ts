import type { Queue } from '../report-search.ts';
import type { Strategy } from './strategy.ts';

/** The content of a list after its first reply. `none found yet`: not all of the queue has been scanned. */
export type ListStage =
  | 'looking'
  | 'found'
  | 'filtered out'
  | 'queue empty'
  | 'none found yet'
  | 'no reports';

type StageFacts = {
  rows: number;
  /** Number of reports that the server's filters leave, as far as that is known. */
  total: number;
  goesOn: boolean;
  isComplete: boolean;
  isFiltered: boolean;
  queue: Queue | undefined;
};

export function stageOf(
  strategy: Strategy | undefined,
  { rows, total, goesOn, isComplete, isFiltered, queue }: StageFacts,
): ListStage {
  if (rows > 0) return 'found';
  if (!strategy || goesOn) return 'looking';
  if (isFiltered) return 'filtered out';
  if (!queue || total === 0) return 'no reports';
  return strategy.kind === 'window' || isComplete ? 'queue empty' : 'none found yet';
}
