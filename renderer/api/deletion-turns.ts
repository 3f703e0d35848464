/**
 * Reports on events are counted while none is being deleted, and none is deleted meanwhile: of one that is on its way
 * nobody could tell whether the number has it.
 */
type Turns = { deletions: Set<Promise<unknown>>; sent: number; count: Promise<unknown> | undefined };

const turns = new Map<string, Turns>();

function turnsOf(serverId: string): Turns {
  const known = turns.get(serverId) ?? { deletions: new Set(), sent: 0, count: undefined };
  turns.set(serverId, known);
  return known;
}

/** How many deletions were sent so far: by their turns, and not by a clock, a number knows which of them it has. */
export const deletionsSent = (serverId: string): number => turnsOf(serverId).sent;

/** The same where all of them have arrived. */
export const deletionsArrived = (serverId: string): number | undefined =>
  turnsOf(serverId).deletions.size === 0 ? deletionsSent(serverId) : undefined;

/** Sends a deletion with its turn, once no count is in flight. */
export async function inDeletion<Reply>(
  serverId: string,
  send: (turn: number) => Promise<Reply>,
): Promise<Reply> {
  const own = turnsOf(serverId);
  while (own.count) await own.count;
  const sent = send(own.sent++);
  const settled: Promise<unknown> = sent.catch(() => {}).finally(() => own.deletions.delete(settled));
  own.deletions.add(settled);
  return sent;
}

/** Counts, once all deletions that are on their way have arrived; `ask` is told how many were sent before. */
export async function inCount<Reply>(
  serverId: string,
  ask: (deletionsBefore: number) => Promise<Reply>,
): Promise<Reply> {
  const own = turnsOf(serverId);
  while (own.count) await own.count;
  const asked = Promise.all(own.deletions).then(() => ask(own.sent));
  own.count = asked
    .catch(() => {})
    .then(() => {
      own.count = undefined;
    });
  return asked;
}
