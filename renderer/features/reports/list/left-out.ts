import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Mark } from '../../../../shared/team/entries.ts';
import type { AnyReport, ReportSource } from '../../../api/reports/report-source.ts';
import { useAreMarksKnown } from '../../../team/use-team.ts';
import type { ListSearch } from '../report-search.ts';
import { filterReports, isInQueue, type Messages } from './filter.ts';

/** A report that the list doesn't contain, and why; without `report` if the server has none of that id. */
export type LeftOut<Report> = { id: number; report: Report | undefined; by: 'filters' | 'queue' };

export type ListContext<Report extends AnyReport> = {
  source: ReportSource<Report>;
  search: ListSearch;
  marks: ReadonlyMap<number, Mark>;
  messages: Messages;
};

const noMarks: ReadonlyMap<number, Mark> = new Map();

/**
 * Returns the report with this id if the filters or the queue leave it out of the list. Marking or deleting a report
 * while it is open doesn't count.
 */
export function useLeftOut<Report extends AnyReport>(
  id: number | undefined,
  { source, search, marks, messages }: ListContext<Report>,
): LeftOut<Report> | undefined {
  const { queue, text, reason, since, until, report: openId } = search;
  const areMarksKnown = useAreMarksKnown();
  // The component that shows the report loads it.
  const { data: report, isError } = useQuery({ ...source.detail(id ?? 0), enabled: false });
  const name = JSON.stringify([id, source.key, queue, text, reason, since, until]);
  // The marks change in place, so the one that counts is read when the report is opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later marks don't matter
  const markThen = useMemo(
    () => (id === undefined ? undefined : marks.get(id)),
    [name, openId, areMarksKnown],
  );
  const [judged, setJudged] = useState<{ name: string; leftOut: LeftOut<Report> | undefined }>();

  if (id === undefined) return undefined;
  if (judged?.name === name) {
    // Its mark was undone since.
    const isBack = judged.leftOut?.by === 'queue' && isInQueue(queue, marks.get(id));
    return isBack ? undefined : judged.leftOut;
  }
  if ((report === undefined && !isError) || (queue && !areMarksKnown)) return undefined;
  const passes =
    report !== undefined &&
    source.matches(report) &&
    filterReports([report], { text, reason, since, until }, noMarks, messages).length > 0;
  const isIn = passes && isInQueue(queue, markThen);
  const leftOut = isIn ? undefined : { id, report, by: passes ? ('queue' as const) : ('filters' as const) };
  setJudged({ name, leftOut });
  return leftOut;
}
