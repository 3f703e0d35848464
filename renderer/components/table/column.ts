import { type ReactNode, useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { persisted } from '../../persisted.ts';

export type Column<Row> = {
  id: string;
  /** In the person's language. */
  name: string;
  /** What one has to know of it, beside its name. */
  note?: string;
  /** In pixels, until someone changes it. */
  width: number;
  /** In pixels, where there is room for all that its cells can say. */
  roomy?: number;
  /** Not shown until someone asks for it, or there is room for it. */
  seldom?: boolean;
  /** What the server orders by; without it, it can't. */
  order?: string;
  /** Whether the greatest come first, where it is ordered by for the first time. */
  descending?: boolean;
  /** The first column's cell holds the row's link, or its button. */
  cell: (row: Row) => ReactNode;
};

export type Sort = { order: string; dir: 'f' | 'b' };

export type Value = string | number | boolean | null | undefined;

const collator = new Intl.Collator(undefined, { numeric: true });

/** What is not known comes last, whichever way. */
export function compared(one: Value, other: Value, way: 1 | -1): number {
  const [isGone, otherIsGone] = [one ?? undefined, other ?? undefined].map((value) => value === undefined);
  if (isGone || otherIsGone) return Number(isGone) - Number(otherIsGone);
  if (typeof one === 'string' && typeof other === 'string') return way * collator.compare(one, other);
  return way * (Number(one) - Number(other));
}

// Which columns of a table are shown and how wide they are: each person's own, kept on this machine.

const Layout = Type.Object({
  /** Columns that are shown though they usually are not, and the other way round. */
  toggled: Type.Array(Type.String()),
  /** Columns that are not shown even where there is room for them. */
  unwanted: Type.Optional(Type.Array(Type.String())),
  /** In pixels. */
  widths: Dictionary(Type.Number()),
});
type Layout = Static<typeof Layout>;

export const narrowest = 48;
export const widest = 1200;
/** A column that needs no more, for a time or a number, in pixels. */
const narrow = 100;
/** Before the first column and after the last. */
const margins = 52;

type Laid = Pick<Column<never>, 'id' | 'width' | 'seldom' | 'roomy'>;

export type TableLayout = ReturnType<typeof useTableLayout>;

/** @param name of the table, the same for every server */
export function useTableLayout(name: string, columns: readonly Laid[]) {
  const kept = persisted<typeof Layout>(`gatehouse.table.${name}`, Layout, { toggled: [], widths: {} });
  const layout = useSyncExternalStore(kept.subscribe, kept.read);
  const { toggled, unwanted = [], widths } = layout;
  const [room, setRoom] = useState(0);
  const { shown, isRoomy } = useMemo(() => fitted(columns, layout, room), [columns, layout, room]);
  const widthOf = ({ id, width }: Laid) => widths[id] ?? width;
  const isShown = ({ id }: Laid) => shown.some((column) => column.id === id);
  return {
    isShown,
    widthOf,
    /** How wide a column gets, for a grid: what nobody gave a width takes of the room that is left. */
    trackOf: (column: Laid) =>
      `minmax(${widthOf(column)}px, ${isRoomy ? roomiest(column, widths) : most(column, widths)}px)`,
    /** @param width of what the table is in, in pixels */
    measure: useCallback((width: number) => setRoom(width), []),
    toggle(column: Laid) {
      const { id, seldom = false } = column;
      const others = (ids: readonly string[]) => ids.filter((one) => one !== id);
      const hides = isShown(column);
      kept.write({
        toggled: hides === seldom ? others(toggled) : [...others(toggled), id],
        unwanted: hides && seldom ? [...others(unwanted), id] : others(unwanted),
        widths,
      });
    },
    resize: ({ id }: Laid, width: number) => kept.write({ ...layout, widths: { ...widths, [id]: width } }),
    isChanged: toggled.length > 0 || unwanted.length > 0 || Object.keys(widths).length > 0,
    reset: () => kept.write({ toggled: [], widths: {} }),
    /** The columns that are shown, as many as there are left of them: a table without any says nothing. */
    shown,
  };
}

/** As far as a row is still read as one: what is made for names and texts takes the most. */
const most = ({ id, width }: Laid, widths: Layout['widths']) =>
  widths[id] ?? Math.max(width, 2 * width - narrow);

const roomiest = (column: Laid, widths: Layout['widths']) =>
  widths[column.id] ?? Math.max(most(column, widths), column.roomy ?? 0);

/**
 * The columns that are shown in so much room: those that usually are or that someone wants, then of the others as many
 * as fit; and whether there is still enough for all that they can say.
 */
function fitted(columns: readonly Laid[], { toggled, unwanted = [], widths }: Layout, room: number) {
  const sum = (some: readonly Laid[], widthIn: typeof most) =>
    some.reduce((total, column) => total + widthIn(column, widths), margins);
  const isWanted = ({ id, seldom = false }: Laid) => toggled.includes(id) === seldom;
  let shown = columns.filter((column, index) => index === 0 || isWanted(column));
  for (const extra of columns) {
    if (!extra.seldom || shown.includes(extra) || unwanted.includes(extra.id)) continue;
    const more = columns.filter((column) => column === extra || shown.includes(column));
    if (sum(more, most) > room) break;
    shown = more;
  }
  return { shown, isRoomy: sum(shown, roomiest) <= room };
}
