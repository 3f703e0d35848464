/** A list in pieces of at most this many, in order: an engine takes only so many parameters at once. */
export function* inPieces<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
