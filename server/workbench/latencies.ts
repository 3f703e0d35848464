/** How long requests took, counted by about how long: there is room for any number of them. */

/** The shortest time that is told apart, in milliseconds, and how many steps there are until it has doubled. */
const shortest = 0.05;
const steps = 8;
const buckets = 24 * steps;
/** All requests are timed until there are so many, and then one of so many, which is enough to tell. */
const allUntil = 256;
const oneOf = 8;

export function createLatencies() {
  const counts = new Uint32Array(buckets);
  let count = 0;
  let timed = 0;

  /** The time that this part of all requests had, within a tenth. */
  function quantile(part: number): number | null {
    if (timed === 0) return null;
    let left = Math.ceil(timed * part);
    const index = counts.findIndex((each) => {
      left -= each;
      return left <= 0;
    });
    return shortest * 2 ** ((index + 0.5) / steps);
  }

  return {
    /** Counts a request that comes, and says whether it is one to be timed. */
    count(): boolean {
      count++;
      return count <= allUntil || count % oneOf === 0;
    },
    note(milliseconds: number): void {
      const step = Math.floor(Math.log2(milliseconds / shortest) * steps);
      const index = step > 0 ? Math.min(step, buckets - 1) : 0;
      counts[index] = (counts[index] ?? 0) + 1;
      timed++;
    },
    /** What was noted since the last time. */
    take() {
      const taken = { count, median: quantile(0.5), highest: quantile(0.99) };
      counts.fill(0);
      count = 0;
      timed = 0;
      return taken;
    },
  };
}
