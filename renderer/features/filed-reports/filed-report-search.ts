import { type Static, Type } from 'typebox';
import type { FiledReportFilter } from '../../api/filed-reports.ts';
import { type SearchReader, searchOf } from '../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));

/** What the address of a list of reports on users or on rooms says. */
const FiledReportSearch = Type.Object({
  about: Text,
  by: Text,
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type FiledReportSearch = Static<typeof FiledReportSearch>;
export const readFiledReportSearch: SearchReader<FiledReportSearch> = searchOf(FiledReportSearch);

export const filterOf = ({ about, by, dir }: FiledReportSearch): FiledReportFilter => ({
  about,
  by,
  dir: dir ?? 'b',
});

export const noFilters = { about: undefined, by: undefined } satisfies Partial<FiledReportSearch>;

export const isFiltered = ({ about, by }: FiledReportSearch) => about !== undefined || by !== undefined;
