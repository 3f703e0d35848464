/** Which columns of a table are shown and how wide they are: each person's own, kept on this machine. */
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { persisted } from '../../persisted.ts';

const Layout = Type.Object({
  /** Columns that are shown though they usually are not, and the other way round. */
  toggled: Type.Array(Type.String()),
  /** In pixels. */
  widths: Dictionary(Type.Number()),
});

export const narrowest = 48;
export const widest = 1200;

type Laid = { id: string; width: number; seldom?: boolean };

export type TableLayout = ReturnType<typeof useTableLayout>;

/** @param name of the table, the same for every server */
export function useTableLayout(name: string, columns: readonly Laid[]) {
  const kept = persisted(`gatehouse.table.${name}`, Layout, { toggled: [], widths: {} });
  const { toggled, widths } = useSyncExternalStore(kept.subscribe, kept.read);
  const isShown = useCallback(({ id, seldom = false }: Laid) => toggled.includes(id) === seldom, [toggled]);
  const shown = useMemo(
    () => columns.filter((column, index) => index === 0 || isShown(column)),
    [columns, isShown],
  );
  const widthOf = ({ id, width }: Laid) => widths[id] ?? width;
  return {
    isShown,
    widthOf,
    isResized: ({ id }: Laid) => widths[id] !== undefined,
    toggle: ({ id }: Laid) =>
      kept.write({
        toggled: toggled.includes(id) ? toggled.filter((one) => one !== id) : [...toggled, id],
        widths,
      }),
    resize: ({ id }: Laid, width: number) => kept.write({ toggled, widths: { ...widths, [id]: width } }),
    isChanged: toggled.length > 0 || Object.keys(widths).length > 0,
    reset: () => kept.write({ toggled: [], widths: {} }),
    /** The columns that are shown, as many as there are left of them: a table without any says nothing. */
    shown,
  };
}
