import { useMemo, useState } from 'react';
import type { Mark } from '../../../team/entries.ts';
import { useAreMarksKnown } from '../../../team/use-team.ts';
import type { Queue } from '../report-search.ts';
import { isInQueue } from '../rows/sieve.ts';

/**
 * A report that the list will never come to, and what leaves it out; without `report` where the server has none of
 * that number.
 */
export type LeftOut<Report> = { id: number; report: Report | undefined; by: 'filters' | 'queue' };

type Options<Report> = {
  /** The number of the report that is asked about. */
  sought: number | undefined;
  /** The report that is open. */
  openId: number | undefined;
  /** Names what is filtered by. */
  filters: string;
  /** What is known of the report: whoever shows it asks for it. */
  asked: { data: Report | undefined; isError: boolean };
  /** Whether the filters let it through. */
  isMeant: (report: Report) => boolean;
  queue: Queue | undefined;
  marks: ReadonlyMap<number, Mark>;
};

/**
 * A report, if the filters or the queue leave it out of the list. One that has been marked or deleted while it was open
 * still stands where it stood.
 */
export function useLeftOutBy<Report>(options: Options<Report>): LeftOut<Report> | undefined {
  const { sought, openId, filters, asked, isMeant, queue, marks } = options;
  const areMarksKnown = useAreMarksKnown();
  // The marks change in place, so the one that counts is read when the report is opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later marks don't matter
  const markThen = useMemo(
    () => (sought === undefined ? undefined : marks.get(sought)),
    [sought, openId, queue, filters, areMarksKnown],
  );
  const name = JSON.stringify([sought, queue, filters]);
  const [judged, setJudged] = useState<{ name: string; leftOut: LeftOut<Report> | undefined }>();

  if (sought === undefined) return undefined;
  if (judged?.name === name) {
    // Its mark was undone meanwhile.
    const isBack = judged.leftOut?.by === 'queue' && isInQueue(queue, marks.get(sought));
    return isBack ? undefined : judged.leftOut;
  }
  const { data: report, isError } = asked;
  if ((report === undefined && !isError) || (queue && !areMarksKnown)) return undefined;
  const passes = report !== undefined && isMeant(report);
  const isIn = passes && isInQueue(queue, markThen);
  const leftOut = isIn
    ? undefined
    : { id: sought, report, by: passes ? ('queue' as const) : ('filters' as const) };
  setJudged({ name, leftOut });
  return leftOut;
}
