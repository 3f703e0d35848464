/** What the filters and the order of the reports screen come to. */
import type { ReportSearch } from './report-search.ts';

export type Order = NonNullable<ReportSearch['order']>;

export const orderOf = ({ order, group }: Pick<ReportSearch, 'order' | 'group'>): Order =>
  order && !(group && order === 'sender') ? order : group ? 'count' : 'newest';

/** Filtered by what the server has no filter for. */
export const isNarrowed = ({ text, reason, since, until }: Narrowing) =>
  Boolean(text || since || until) || reason !== undefined;
export type Narrowing = Pick<ReportSearch, 'text' | 'reason' | 'since' | 'until'>;

export const isFiltered = (search: ReportSearch) =>
  Boolean(search.room || search.reporter || search.sender) || isNarrowed(search);

/** Whether all reports that the server gives are shown, and not those that filters of the console left. */
export const isWhole = (search: ReportSearch) => !search.queue && !isNarrowed(search);

export const withoutFilters: Partial<ReportSearch> = {
  room: undefined,
  reporter: undefined,
  sender: undefined,
  text: undefined,
  reason: undefined,
  since: undefined,
  until: undefined,
};

export const isByTime = ({ order }: Pick<ReportSearch, 'order'>) =>
  order === undefined || order === 'newest' || order === 'oldest';

/** What the server can neither filter nor order is looked through here, as far as it is loaded. */
export const isLookedThrough = (search: ReportSearch) =>
  Boolean(search.queue) || isNarrowed(search) || !isByTime(search);
