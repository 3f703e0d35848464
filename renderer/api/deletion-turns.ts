/**
 * Reports on events are counted while none is being deleted, and none is deleted meanwhile: of one that is on its way
 * nobody could tell whether the number has it.
 */
type Turns = { deletions: Set<Promise<unknown>>; count: Promise<unknown> | undefined };

const turns = new Map<string, Turns>();

/** What is asked next is later than the number, by a clock that knows milliseconds. */
const restMs = 2;

function turnsOf(serverId: string): Turns {
  const known = turns.get(serverId) ?? { deletions: new Set(), count: undefined };
  turns.set(serverId, known);
  return known;
}

/** Sends a deletion: once nothing is counted, unless it can't wait. */
export async function inDeletion<Reply>(
  serverId: string,
  send: () => Promise<Reply>,
  canWait: boolean,
): Promise<Reply> {
  const own = turnsOf(serverId);
  while (canWait && own.count) await own.count;
  const sent = send();
  const settled: Promise<unknown> = sent.catch(() => {}).finally(() => own.deletions.delete(settled));
  own.deletions.add(settled);
  return sent;
}

/** Counts, once all deletions that are on their way have arrived. */
export async function inCount<Reply>(serverId: string, ask: () => Promise<Reply>): Promise<Reply> {
  const own = turnsOf(serverId);
  while (own.count) await own.count;
  const asked = Promise.all(own.deletions).then(ask);
  const settled = asked
    .catch(() => {})
    .then(() => new Promise((resolve) => setTimeout(resolve, restMs)))
    .then(() => {
      own.count = undefined;
    });
  own.count = settled;
  return asked;
}
