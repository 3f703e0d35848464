import { useState } from 'react';
import type { SampleDataJob } from '../../../../shared/workbench/sample-data.ts';

/** How long one has to have looked before anything can be said, in milliseconds. */
const longEnough = 3_000;

/**
 * How long a job still takes, in milliseconds, by how quickly it went while one looked; undefined where that can't be said yet.
 *
 * @param at when the job was so, in milliseconds
 */
export function useTimeLeft({ status, done, total }: SampleDataJob, at: number): number | undefined {
  const [seen, setSeen] = useState<{ first: Mark; last: Mark }>();
  const isBehind = seen === undefined || done < seen.last.done;
  if (status !== 'running') {
    if (seen) setSeen(undefined);
    return undefined;
  }
  if (isBehind || done !== seen.last.done) {
    const mark = { done, at };
    setSeen({ first: isBehind ? mark : seen.first, last: mark });
  }
  if (!seen) return undefined;
  const took = seen.last.at - seen.first.at;
  const made = seen.last.done - seen.first.done;
  if (took < longEnough || made <= 0) return undefined;
  return ((total - seen.last.done) / made) * took;
}

type Mark = { done: number; at: number };
