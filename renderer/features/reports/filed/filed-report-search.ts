import { type Static, Type } from 'typebox';
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
