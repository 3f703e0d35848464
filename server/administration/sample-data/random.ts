/** Chance that is the same each time, so that a sample server can be talked about. */
export type Random = {
  /** At least 0, below 1. */
  next(): number;
  pick<Item>(items: readonly Item[]): Item;
};

/** Mulberry32: small, fast and good enough to scatter sample data. */
export function seededRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  };
  return { next, pick };
}
