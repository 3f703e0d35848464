/** A job as it is kept: thousands of reports that are all as far take no more room than their first and last number. */
import { type Static, Type } from 'typebox';
import { Job, JobItem } from './job.ts';

/** Reports on events whose numbers follow each other, up or down. */
const Run = Type.Object({ from: Type.Integer(), to: Type.Integer(), state: JobItem.properties.state });
type Run = Static<typeof Run>;

/** A browser's storage does not hold more entries of one job. */
const mostKept = 2_000;
/** A page can't hold more of it: where more is kept, it was never this console that kept it. */
const mostUnpacked = 1_000_000;

export const KeptJob = Type.Refine(
  Type.Object({ ...Job.properties, items: Type.Array(Type.Union([JobItem, Run])) }),
  ({ items }) => items.reduce((sum, entry) => sum + lengthOf(entry), 0) <= mostUnpacked,
);
export type KeptJob = Static<typeof KeptJob>;

/**
 * The job as it is to be kept; undefined where it is too large for that. Of one that has to be packed it isn't kept when
 * what became of each report was known. What is changed of the job later changes nothing of it.
 */
export function packed(job: Job): KeptJob | undefined {
  const { id, items } = job;
  if (items.length <= mostKept) return { ...job, items: [...items] };
  if (items.length > mostUnpacked) return undefined;
  const kept: KeptJob['items'] = [];
  for (const [index, entry] of items.entries()) {
    const reportId = plainReport(entry, nameOf(id, index));
    const before = kept.at(-1);
    if (reportId === undefined) kept.push(entry);
    else if (before && 'from' in before && before.state === entry.state && isNext(before, reportId)) {
      before.to = reportId;
    } else kept.push({ from: reportId, to: reportId, state: entry.state });
    if (kept.length > mostKept) return undefined;
  }
  return { ...job, items: kept };
}

export function unpacked(kept: KeptJob): Job {
  const items: JobItem[] = [];
  for (const entry of kept.items) {
    if (!('from' in entry)) {
      items.push(entry);
      continue;
    }
    const { from, to, state } = entry;
    const step = Math.sign(to - from);
    for (let index = 0; index < lengthOf(entry); index++) {
      const reportId = from + index * step;
      items.push({ item: { kind: 'report', reportId }, state, transaction: nameOf(kept.id, items.length) });
    }
  }
  return { ...kept, items };
}

/** What the request of an item is called, so that one that is sent twice is done once. */
export const nameOf = (jobId: string, index: number) => `${jobId}.${index}`;

/** How many reports an entry stands for. */
const lengthOf = (entry: JobItem | Run) => ('from' in entry ? Math.abs(entry.to - entry.from) + 1 : 1);

/** The report's number, where there is nothing else to say of it than how far it is. */
function plainReport({ item, state: _, transaction, at: __, ...more }: JobItem, name: string) {
  const isPlain = item.kind === 'report' && !item.reports && transaction === name;
  return isPlain && Object.keys(more).length === 0 ? item.reportId : undefined;
}

const isNext = ({ from, to }: Run, reportId: number) =>
  from === to ? Math.abs(reportId - to) === 1 : reportId - to === Math.sign(to - from);
