/** The last requests of one kind: as they were seen, until somebody looks at them; then as they are shown. */
import { type InspectedRequest, keptRequests } from '../../shared/workbench/inspector.ts';
import { type Seen, sizeOf } from './watch-request.ts';

/** As much is held by them all, whether somebody has looked at them or not, in bytes. */
const mostHeld = 32 * 1024 * 1024;

export type Kept = {
  number: number;
  seen: Seen | undefined;
  /** What `seen` or `shown` holds, in bytes. */
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
  /** Keeps it as it is shown from now on. */
  keepShown(each: Kept, shown: InspectedRequest): void;
  forget(): void;
};

export function keepRequests(): KeptRequests {
  let kept: Kept[] = [];
  let held = 0;

  function keepFrom(index: number): void {
    kept = kept.slice(index);
    held = kept.reduce((sum, { size }) => sum + size, 0);
  }

  function hold(each: Kept, size: number): void {
    held += size - each.size;
    each.size = size;
  }

  /** Of some of them nothing is held any more. */
  const latest = (first: number) =>
    kept.slice(Math.max(first, kept.length - keptRequests)).filter(({ seen, shown }) => seen ?? shown);

  const all: KeptRequests = {
    get count() {
      return latest(0).length;
    },
    add(number, seen) {
      const size = sizeOf(seen);
      kept.push({ number, seen, size, shown: undefined, among: all });
      held += size;
      // Now and then, because to take one from the front moves all the others.
      if (kept.length >= 2 * keptRequests) keepFrom(kept.length - keptRequests);
      else if (held > mostHeld) keepFrom(kept.length >> 1);
    },
    after(number) {
      return latest(kept.findLastIndex((each) => each.number <= number) + 1);
    },
    takeSeen(each) {
      const { seen } = each;
      if (!seen) return undefined;
      each.seen = undefined;
      hold(each, 0);
      return seen;
    },
    keepShown(each, shown) {
      // It may have gone meanwhile.
      if (each.number < (kept[0]?.number ?? Number.POSITIVE_INFINITY)) return;
      each.shown = shown;
      hold(each, sizeOfShown(shown));
      // The oldest go, and this one stays.
      for (let index = 0; held > mostHeld && kept[index] !== each; index++) {
        const oldest = kept[index];
        if (!oldest) break;
        hold(oldest, 0);
        oldest.seen = undefined;
        oldest.shown = undefined;
      }
    },
    forget() {
      keepFrom(kept.length);
    },
  };
  return all;
}

/** What it takes as text: what else there is of it is short. */
function sizeOfShown({ path, request, reply, database }: InspectedRequest): number {
  const texts = [
    path,
    request.body,
    reply.body,
    ...request.headers.flat(),
    ...reply.headers.flat(),
    ...database.asked.map(({ sql }) => sql),
  ];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
