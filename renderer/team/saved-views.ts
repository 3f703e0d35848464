/** Saved views: team documents with the search parameters of a list, and its columns. */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../shared/api/common.ts';
import { fits } from '../../shared/fits.ts';
import type { DocumentsOfKind } from '../../shared/team/documents.ts';

export const viewKind = 'view';

const Ids = Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 }));

/** Differences from a table's usual columns. */
const Columns = Type.Object({ toggled: Ids, unwanted: Ids, wanted: Ids });
type ViewColumns = Static<typeof Columns>;

export const maxViewName = 60;
export const maxPosition = 1000;
/** In minutes. */
export const maxTarget = 100_000;

const View = Type.Object({
  list: Type.String({ minLength: 1, maxLength: 50 }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  search: Dictionary(Type.Unknown()),
  /** Undefined: as they are. */
  columns: Type.Optional(Columns),
  /** Turns a view of cases into a queue. */
  queue: Type.Optional(
    Type.Object({
      /** A case is in the queue with the least position whose filters it meets. */
      position: Type.Integer({ minimum: 0, maximum: maxPosition }),
      /** User IDs of the moderators who work on it. */
      people: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 100 }),
      /** Target time, in minutes. */
      target: Type.Optional(Type.Integer({ minimum: 1, maximum: maxTarget })),
    }),
  ),
});

export type SavedView = Static<typeof View> & { key: string };
/** Data that a user saves as a view. */
export type NamedSearch = Pick<SavedView, 'name' | 'search' | 'columns' | 'queue'>;

/** Returns the views of a list, by name. */
export const viewsOf = (documents: DocumentsOfKind, list: string): SavedView[] =>
  [...documents]
    .flatMap(([key, { content }]) => (fits(View, content) ? [{ ...content, key } as SavedView] : []))
    .filter((view) => view.list === list)
    .sort((one, other) => one.name.localeCompare(other.name));

/** Returns the columns of a table's layout, without widths. */
export const viewColumns = ({ toggled = [], unwanted = [], wanted = [] }: ViewColumns) => ({
  toggled: [...toggled],
  unwanted: [...unwanted],
  wanted: [...wanted],
});

/** Ignores the order of columns. A view without columns is the same as any. */
export function areSameColumns(view: ViewColumns | undefined, columns: ViewColumns): boolean {
  const canonical = (some: ViewColumns) =>
    JSON.stringify(Object.values(viewColumns(some)).map((ids) => [...new Set(ids)].sort()));
  return view === undefined || canonical(view) === canonical(columns);
}

type Search = Readonly<Record<string, unknown>>;

/** Ignores undefined values and the order of keys. */
export function areSameSearch(one: Search, other: Search): boolean {
  const canonical = (search: Search) =>
    JSON.stringify(
      Object.entries(search)
        .filter(([, value]) => value !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return canonical(one) === canonical(other);
}
