import { type Static, Type } from 'typebox';
import type { FiledReport } from '../../../api/filed-reports.ts';
import { type SearchReader, searchOf } from '../../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));

/** What the address of a list of reports on users or on rooms says; the report that is open is in its path. */
const FiledReportSearch = Type.Object({
  /** All where none is named. */
  queue: Type.Optional(Type.Enum(['unreviewed', 'escalated', 'resolved'])),
  about: Text,
  by: Text,
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type FiledReportSearch = Static<typeof FiledReportSearch>;
export const readFiledReportSearch: SearchReader<FiledReportSearch> = searchOf(FiledReportSearch);

export const noFilters = { about: undefined, by: undefined } satisfies Partial<FiledReportSearch>;

export const isFiltered = ({ about, by }: FiledReportSearch) => about !== undefined || by !== undefined;

/** Whether the filters let a report through; both compare whole identifiers, as the server does. */
export const isMeant = (report: FiledReport, { about, by }: FiledReportSearch) =>
  (about === undefined || report.about === about) && (by === undefined || report.by === by);
