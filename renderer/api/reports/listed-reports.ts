/** Reads report lists. They are paged by offset, so an unreadable entry keeps its place and readers skip it. */
import type { Static, TSchema } from 'typebox';
import { unexpectedReply } from '../../../shared/connection.ts';
import { isExpected, readEntries, type UnexpectedEntry } from '../lenient.ts';

export type Listed<Report> = Report & { unexpected?: UnexpectedEntry };

export const isReadable = ({ unexpected }: Listed<object>) => unexpected === undefined;

type ReportTime = { id: number; received_ts: number };

type Reading<Row, Report> = {
  /** The list's field in the reply. */
  name: string;
  dir: 'b' | 'f';
  reportOf(row: Row): Report;
  /** Fields of an unreadable entry; its `id` and `received_ts` are derived from its neighbor. */
  blank: Omit<Report, keyof ReportTime>;
};

/** @throws ConnectionFailure if all of several entries are unreadable */
export function readReports<Schema extends TSchema, Report extends ReportTime>(
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
    // IDs differ by at least 1 and pages have at most 1000 entries, so these IDs stay unique and in order.
    const distance = (index - at) / 2048;
    return {
      ...blank,
      received_ts,
      id: dir === 'b' ? id - distance : id + distance,
      unexpected: report,
    } as Listed<Report>;
  });
}
