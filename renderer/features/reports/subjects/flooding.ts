import type { SubjectSummary } from '../../../api/report-subjects.ts';
import type { Grouping } from '../report-search.ts';

/** More than a person reads within an hour. */
const manyInAnHour = 20;
/** From so many on it says something who is behind them. */
const manyOnOne = 10;

/**
 * Whether reports come as a flood: many within an hour by one reporter, or most of a subject's by one
 * person. `by` says who, where the row isn't that person's own.
 */
export function flooding(
  grouping: Grouping,
  { covered, reporters, mostInAnHour }: Pick<SubjectSummary, 'covered' | 'reporters' | 'mostInAnHour'>,
): { count: number; by: string | undefined } | undefined {
  if (grouping === 'reporter') {
    return mostInAnHour >= manyInAnHour ? { count: mostInAnHour, by: undefined } : undefined;
  }
  const [first] = reporters;
  if (!first || covered < manyOnOne || first.count < covered / 2) return undefined;
  return { count: first.count, by: first.id };
}
