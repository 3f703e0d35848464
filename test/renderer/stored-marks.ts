import { maxReportsPerEntry } from '../../shared/team/entries.ts';

/** Returns the console's stored value under `gatehouse.team.<server>` for resolved reports. */
export const storedMarks = (reports: readonly number[]): string => {
  const entries = Array.from({ length: Math.ceil(reports.length / maxReportsPerEntry) }, (_, index) => ({
    id: `stored${index}`,
    at: 1,
    body: {
      type: 'mark',
      reports: reports.slice(index * maxReportsPerEntry, (index + 1) * maxReportsPerEntry),
      state: 'reviewed',
    },
  }));
  return JSON.stringify(entries);
};
