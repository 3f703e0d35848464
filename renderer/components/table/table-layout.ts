/** Which columns of a table are shown and how wide they are: each person's own, kept on this machine. */
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { persisted } from '../../persisted.ts';
import type { Column } from './column.ts';

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
