/**
 * Whose question is asked next. Every network that asks has a turn after the other, however much one of them
 * asks: who sends one made-up token after another waits behind them alone.
 */

export type IntrospectionQueue = {
  /**
   * Does work when it is the turn of a network.
   *
   * @throws QueueFull where too much waits, and no other network has more waiting; what the work throws
   */
  run<Result>(network: string, work: () => Promise<Result>): Promise<Result>;
};

export class QueueFull extends Error {}

type Turn = PromiseWithResolvers<void>;

/**
 * @param atOnce how much work is done at once
 * @param maximumWaiting how much more may wait for all networks together
 */
export function createIntrospectionQueue(atOnce: number, maximumWaiting: number): IntrospectionQueue {
  /** By network, whose turn comes first standing first; none is empty. */
  const waiting = new Map<string, Turn[]>();
  let waitingCount = 0;
  let running = 0;

  function join(network: string): Turn {
    if (waitingCount >= maximumWaiting) makeRoom(network);
    const turn = Promise.withResolvers<void>();
    const own = waiting.get(network) ?? [];
    own.push(turn);
    waiting.set(network, own);
    waitingCount++;
    return turn;
  }

  /** Turns away who came last from where most comes from. @throws QueueFull where that is this network */
  function makeRoom(network: string): void {
    const own = (waiting.get(network)?.length ?? 0) + 1;
    let most: Turn[] | undefined;
    for (const turns of waiting.values()) if (turns.length > (most?.length ?? own)) most = turns;
    const last = most?.pop();
    if (!last) throw new QueueFull();
    last.reject(new QueueFull());
    waitingCount--;
  }

  function letNextIn(): void {
    const [next] = waiting;
    if (!next || running >= atOnce) return;
    const [network, own] = next;
    const turn = own.shift();
    // Whoever had a turn stands behind everyone else.
    waiting.delete(network);
    if (own.length > 0) waiting.set(network, own);
    waitingCount--;
    running++;
    turn?.resolve();
  }

  return {
    async run(network, work) {
      const turn = join(network);
      letNextIn();
      await turn.promise;
      try {
        return await work();
      } finally {
        running--;
        letNextIn();
      }
    },
  };
}
