/** The entries of a job, each of which changes as its work goes on. */
import type { Job, JobItem } from './job.ts';
import type { JobStore } from './job-store.ts';

/** One entry is another than it was, which it gives; when it is over, that is now. */
export function setItem(jobs: JobStore, job: Job, entry: JobItem, change: Partial<JobItem>): JobItem {
  const isOver = change.state === 'done' || change.state === 'failed';
  const changed = { ...entry, ...change, ...(isOver && { at: Date.now() }) };
  job.items[placeOf(job.items, entry.transaction)] = changed;
  jobs.changed(job);
  return changed;
}

/** The entry of this transaction as it is now. */
export const itemOf = ({ items }: Job, transaction: string): JobItem | undefined =>
  items[placeOf(items, transaction)];

const places = new WeakMap<readonly JobItem[], ReadonlyMap<string, number>>();

/** Where an entry stands: of a hundred thousand it is not looked for one by one. */
function placeOf(items: readonly JobItem[], transaction: string): number {
  let known = places.get(items);
  if (!known) {
    known = new Map(items.map((entry, index) => [entry.transaction, index]));
    places.set(items, known);
  }
  return known.get(transaction) ?? -1;
}
