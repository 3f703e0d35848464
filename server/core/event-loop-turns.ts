/**
 * Turns of the event loop. Whoever works for long gives the loop back now and then, so that no request
 * makes the others wait.
 */

/** How long the work of a turn may last before what asks has to wait for the next, in milliseconds. */
const longTurn = 10;

/** When the first work of this turn that asks has begun. */
let began: number | undefined;
/** Who waits for a turn, in the order in which they came: the one that worked long is behind the others. */
const line: (() => void)[] = [];
let isTurnDue = false;
const atOnce = Promise.resolve();

/**
 * To be awaited between two pieces of work, each a few milliseconds at most: goes on at once, or in a later
 * turn where this one has lasted long enough, whoever it was that worked.
 */
export function breathe(): Promise<void> {
  if (!isTurnLong()) return atOnce;
  return new Promise((resolve) => {
    line.push(resolve);
    askForTurn();
  });
}

/** Whether this turn has lasted long enough: then it is time to `breathe`. To ask costs less than to await that. */
export function isTurnLong(): boolean {
  if (began === undefined) {
    began = performance.now();
    askForTurn();
  }
  return performance.now() - began >= longTurn;
}

/** Maps a list that may be long, over as many turns as that takes. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await eachInTurns(items, (item) => results.push(map(item)));
  return results;
}

/** Those of a list that may be long which pass a test, over as many turns as that takes. */
export async function filterInTurns<Item>(
  items: Iterable<Item>,
  test: (item: Item) => boolean,
): Promise<Item[]> {
  const passed: Item[] = [];
  await eachInTurns(items, (item) => {
    if (test(item)) passed.push(item);
  });
  return passed;
}

/** Does something with each of what may be many, over as many turns as that takes. */
export async function eachInTurns<Item>(items: Iterable<Item>, work: (item: Item) => unknown): Promise<void> {
  for (const item of items) {
    if (isTurnLong()) await breathe();
    work(item);
  }
}

function askForTurn(): void {
  if (isTurnDue) return;
  isTurnDue = true;
  setImmediate(() => {
    isTurnDue = false;
    began = performance.now();
    letNextIn();
  });
}

/** Lets one after another go on, each until it waits for something, as long as the turn is not a long one. */
function letNextIn(): void {
  if (line.length > 0 && performance.now() - (began ?? 0) < longTurn) {
    line.shift()?.();
    // A tick that is asked for among promises' callbacks comes when there are no more of these.
    queueMicrotask(() => process.nextTick(letNextIn));
    return;
  }
  began = undefined;
  if (line.length > 0) askForTurn();
}
