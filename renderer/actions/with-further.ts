import type { ReportKind } from '../team/entries.ts';
import { type Item, keyOf } from './subject.ts';

/** The other reports that are to be marked, by the keys of what they are on, and whether more are being looked for. */
export type Further = {
  open: ReadonlyMap<string, ReadonlyMap<ReportKind, number[]>>;
  isLooking: boolean;
  isWanted: boolean;
};

/** They are wanted, and nobody has begun to look for them yet. */
export const soughtFurther: Further = { open: new Map(), isLooking: true, isWanted: true };
export const nothingFurther: Further = { open: new Map(), isLooking: false, isWanted: false };

/** The items with what is to be marked along with the reports that they are acted on because of. */
export function withFurther(items: readonly Item[], { open }: Further): readonly Item[] {
  if (open.size === 0) return items;
  return items.map((item) => {
    const of = open.get(keyOf(item));
    return of ? { ...item, further: [...of].map(([kind, reports]) => ({ of: kind, reports })) } : item;
  });
}
