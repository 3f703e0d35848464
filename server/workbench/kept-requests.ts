/** The last requests of one kind: as they were seen, until somebody looks at them; then as they are shown. */
import { type InspectedRequest, keptRequests } from '../../shared/workbench/inspector.ts';
import { type Seen, sizeOf } from './watch-request.ts';

/** As much is held by requests that nobody has looked at, in bytes. */
const mostUnseen = 32 * 1024 * 1024;

export type Kept = {
  number: number;
  seen: Seen | undefined;
  /** What `seen` holds, in bytes; 0 without it. */
  size: number;
  shown: InspectedRequest | undefined;
  among: KeptRequests;
};

export type KeptRequests = {
  readonly count: number;
  add(number: number, seen: Seen): void;
  /** Those with greater numbers, the oldest first. */
  after(number: number): Kept[];
  /** Takes out what it was seen as, which is not kept any longer than until it is shown. */
  takeSeen(each: Kept): Seen | undefined;
  forget(): void;
};

export function keepRequests(): KeptRequests {
  let kept: Kept[] = [];
  let unseen = 0;

  function keepFrom(index: number): void {
    kept = kept.slice(index);
    unseen = kept.reduce((sum, { size }) => sum + size, 0);
  }

  const all: KeptRequests = {
    get count() {
      return Math.min(kept.length, keptRequests);
    },
    add(number, seen) {
      const size = sizeOf(seen);
      kept.push({ number, seen, size, shown: undefined, among: all });
      unseen += size;
      // Now and then, because to take one from the front moves all the others.
      if (kept.length >= 2 * keptRequests) keepFrom(kept.length - keptRequests);
      else if (unseen > mostUnseen) keepFrom(kept.length >> 1);
    },
    after(number) {
      const first = kept.findLastIndex((each) => each.number <= number) + 1;
      return kept.slice(Math.max(first, kept.length - keptRequests));
    },
    takeSeen(each) {
      const { seen } = each;
      if (!seen) return undefined;
      each.seen = undefined;
      unseen -= each.size;
      each.size = 0;
      return seen;
    },
    forget() {
      keepFrom(kept.length);
    },
  };
  return all;
}
