import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));

/** Search parameters of user and room reports; the path has the open report. */
const FiledReportSearch = Type.Object({
  /** Default: all. */
  queue: Type.Optional(Type.Enum(['unreviewed', 'escalated', 'resolved'])),
  about: Text,
  by: Text,
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type FiledReportSearch = Static<typeof FiledReportSearch>;
export const readFiledReportSearch: SearchReader<FiledReportSearch> = searchOf(FiledReportSearch);

export const noFilters = { about: undefined, by: undefined } satisfies Partial<FiledReportSearch>;
