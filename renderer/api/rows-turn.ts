import pLimit from 'p-limit';

/** What rows ask for by themselves leaves connections free for what a person asks for. */
const turn = pLimit(3);

/** Asks once it is a row's turn; not at all where the row is out of sight by then. @throws the signal's reason */
export const inRowsTurn = <Reply>(signal: AbortSignal, ask: () => Promise<Reply>): Promise<Reply> =>
  turn(() => {
    signal.throwIfAborted();
    return ask();
  });
