export type Value = string | number | boolean | null | undefined;

const collator = new Intl.Collator(undefined, { numeric: true });

/** What is not known comes last, whichever way. */
export function compared(one: Value, other: Value, way: 1 | -1): number {
  const [isGone, otherIsGone] = [one ?? undefined, other ?? undefined].map((value) => value === undefined);
  if (isGone || otherIsGone) return Number(isGone) - Number(otherIsGone);
  if (typeof one === 'string' && typeof other === 'string') return way * collator.compare(one, other);
  return way * (Number(one) - Number(other));
}
