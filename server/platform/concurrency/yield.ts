/** Cooperative yielding: long work regularly lets other requests run. */

/** How long tasks may run in one iteration of the event loop before they yield, in milliseconds. */
const maxIteration = 10;

/** When the first task of this iteration asked; undefined if none has. */
let startedAt: number | undefined;
/** Tasks that have yielded, in order. */
const waiting: (() => void)[] = [];
let isScheduled = false;
const resolved = Promise.resolve();

/**
 * Resolves immediately, or in a later iteration of the event loop if all tasks of this one have taken too long. Await
 * it between steps of a few milliseconds.
 */
export function yieldToEventLoop(): Promise<void> {
  if (!shouldYield()) return resolved;
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

/** Whether to call `yieldToEventLoop`. Cheaper than awaiting it in each step of a loop. */
export function shouldYield(): boolean {
  if (startedAt === undefined) {
    startedAt = performance.now();
    schedule();
  }
  return performance.now() - startedAt >= maxIteration;
}

export async function mapYielding<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachYielding(items, (item) => results.push(map(item)));
  return results;
}

export async function filterYielding<Item>(
  items: Iterable<Item>,
  test: (item: Item) => boolean,
): Promise<Item[]> {
  const passed: Item[] = [];
  await forEachYielding(items, (item) => {
    if (test(item)) passed.push(item);
  });
  return passed;
}

export async function forEachYielding<Item>(
  items: Iterable<Item>,
  work: (item: Item) => unknown,
): Promise<void> {
  for (const item of items) {
    if (shouldYield()) await yieldToEventLoop();
    work(item);
  }
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    startedAt = performance.now();
    resumeNext();
  });
}

/** Resumes one task after the other, each until it waits for something, until the iteration has taken too long. */
function resumeNext(): void {
  if (waiting.length > 0 && performance.now() - (startedAt ?? 0) < maxIteration) {
    waiting.shift()?.();
    // A tick requested from a microtask runs when there are no more microtasks.
    queueMicrotask(() => process.nextTick(resumeNext));
    return;
  }
  startedAt = undefined;
  if (waiting.length > 0) schedule();
}

/** Splits a list into chunks, such as for databases that limit the number of parameters. */
export function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
