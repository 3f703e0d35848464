/** Ring buffer of recorded requests. Each is kept as recorded until someone views it, then in redacted form. */
import { type InspectedRequest, keptRequests } from '../../shared/workbench/inspector.ts';
import { type Seen, sizeOf } from './watch-request.ts';

/** Total size of all kept requests, in bytes. */
const mostHeld = 32 * 1024 * 1024;

export type KeptRequest = {
  number: number;
  seen: Seen | undefined;
  /** Size of `seen` or `shown` in bytes; 0 once the request has been dropped. */
  size: number;
  shown: InspectedRequest | undefined;
  among: KeptRequests;
};

export type KeptRequests = {
  readonly count: number;
  add(number: number, seen: Seen): void;
  /** Returns the requests with greater numbers, oldest first. */
  after(number: number): KeptRequest[];
  /** Removes and returns the recorded form, which is kept only until it has been redacted. */
  takeSeen(each: KeptRequest): Seen | undefined;
  /** Stores the redacted form, unless the request has been dropped in the meantime. */
  keepShown(each: KeptRequest, shown: InspectedRequest): void;
  forget(): void;
};

export function keepRequests(): KeptRequests {
  const kept: KeptRequest[] = [];
  let held = 0;

  function drop(count: number): void {
    for (const each of kept.splice(0, count)) resize(each, 0);
  }

  function resize(each: KeptRequest, size: number): void {
    held += size - each.size;
    each.size = size;
  }

  /** Skips requests whose content was dropped to stay within the limit. */
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
      // Many at once, because removing from the front moves all others.
      if (kept.length >= 2 * keptRequests) drop(kept.length - keptRequests);
      else if (held > mostHeld) drop(kept.length >> 1);
    },
    after(number) {
      return latest(kept.findLastIndex((each) => each.number <= number) + 1);
    },
    takeSeen(each) {
      const { seen } = each;
      if (!seen) return undefined;
      each.seen = undefined;
      resize(each, 0);
      return seen;
    },
    keepShown(each, shown) {
      if (each.number < (kept[0]?.number ?? Number.POSITIVE_INFINITY)) return;
      each.shown = shown;
      resize(each, sizeOfShown(shown));
      for (let index = 0; held > mostHeld && kept[index] !== each; index++) {
        const oldest = kept[index];
        if (!oldest) break;
        resize(oldest, 0);
        oldest.seen = undefined;
        oldest.shown = undefined;
      }
    },
    forget() {
      drop(kept.length);
    },
  };
  return all;
}

/** Approximates the size by the length of all texts. */
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
