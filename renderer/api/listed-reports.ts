/** Report lists are numbered by offset: an entry that can't be read keeps its place, and what reads the list skips it. */
import type { Static, TSchema } from 'typebox';
import { unexpectedReply } from '../../shared/connection.ts';
import { isExpected, readEntries, type UnexpectedEntry } from './lenient.ts';

export type Listed<Report> = Report & { unexpected?: UnexpectedEntry };

export const isReadable = ({ unexpected }: Listed<object>) => unexpected === undefined;

type Moment = { id: number; received_ts: number };

type Reading<Row, Report> = {
  /** The list's name in the reply. */
  name: string;
  dir: 'b' | 'f';
  reportOf(row: Row): Report;
  /** The fields of an entry that can't be read, beside its moment, which is next to its neighbor's. */
  blank: Omit<Report, keyof Moment>;
};

/** @throws ConnectionFailure where no entry of several can be read: this is another kind of list */
export function readReports<Schema extends TSchema, Report extends Moment>(
  schema: Schema,
  entries: readonly unknown[],
  { name, dir, reportOf, blank }: Reading<Static<Schema>, Report>,
): Listed<Report>[] {
  const rows = readEntries(schema, entries);
  const reports = rows.map((row) => (isExpected(row) ? reportOf(row) : row));
  let at = reports.findIndex((report) => isExpected(report));
  const [first] = rows;
  if (at === -1 && rows.length > 1 && first) {
    throw unexpectedReply(
      [name, 0, (first as UnexpectedEntry).field].filter((part) => part !== '').join('.'),
    );
  }
  return reports.map((report, index) => {
    if (isExpected(report)) {
      at = index;
      return report;
    }
    const { received_ts, id } = (reports[at] as Report | undefined) ?? { received_ts: 0, id: 0 };
    // No two reports are nearer than 1 to each other, and no page is longer than 1000.
    const distance = (index - at) / 2048;
    return {
      ...blank,
      received_ts,
      id: dir === 'b' ? id - distance : id + distance,
      unexpected: report,
    } as Listed<Report>;
  });
}
