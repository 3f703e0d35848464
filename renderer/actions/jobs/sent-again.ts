/** How a run over many sends its requests: a single one that is lost is sent again, where that does no harm. */
import type { Server } from '../../transport/server.ts';
import { isLost } from './job.ts';

/** Before each further try, in milliseconds. */
const waits = [400, 1_600, 3_000];

/** So often each of those that are sent at once may be lost, until nothing more is begun. */
export const mostLostEach = waits.length;

type Watch = {
  /** Whatever the server said. */
  answered(): void;
  /** @returns whether it is worth another try */
  lost(): boolean;
  /** Asked when the wait before another try is over. */
  goesOn(): boolean;
};

/** The same server, with patience: reads and `PUT`s are repeatable, and others that say so. */
export function sentAgain(server: Server, watch: Watch): Server {
  async function again<Reply>(isRepeatable: boolean, send: () => Promise<Reply>): Promise<Reply> {
    for (let tries = 0; ; tries++) {
      const wait = waits[tries];
      try {
        const reply = await send();
        watch.answered();
        return reply;
      } catch (error) {
        if (!isLost(error)) {
          watch.answered();
          throw error;
        }
        if (!watch.lost() || !isRepeatable || wait === undefined) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait));
        // Stopped meanwhile, by a person or since nothing answers: what nobody waits for any more is not sent.
        if (!watch.goesOn()) throw error;
      }
    }
  }
  const getting =
    (get: Server['get']): Server['get'] =>
    (...asked) =>
      again(true, () => get(...asked));
  const sending =
    (send: Server['send']): Server['send'] =>
    (method, schema, path, options) =>
      again(method === 'PUT' || options?.repeatable === true, () => send(method, schema, path, options));
  return {
    ...server,
    get: getting(server.get),
    getChat: getting(server.getChat),
    send: sending(server.send),
    sendChat: sending(server.sendChat),
  };
}
