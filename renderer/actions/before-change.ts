import type { Work } from './action.ts';

/**
 * What there is before a change that is about to be made, for its undo to give back.
 *
 * @param isLeft whether it is already as the change leaves it
 * @returns `unsure` where it became so since it was sent first: one's own request arrived, or a colleague did the same
 */
export async function beforeChange<Value>(
  { first }: Pick<Work, 'first'>,
  read: () => Promise<Value>,
  isLeft: (value: Value) => boolean,
): Promise<{ before: Value; unsure: boolean }> {
  const now = await read();
  const before = await first(async () => now);
  const unsure = isLeft(now) && !isLeft(before);
  return { before: unsure ? before : now, unsure };
}
