/** Retries lost requests of a run over many items, where repeating is safe. */
import type { Server } from '../../transport/server.ts';
import { isLost, pause } from './job.ts';

/** Backoff before each retry, in milliseconds. */
const waits = [400, 1_600, 3_000];

export const maxRetries = waits.length;

type Watch = {
  /** Called on any reply. */
  answered(): void;
  /** Called when a request is lost. Returns whether to retry. */
  lost(): boolean;
  /** Asked after the backoff. */
  isWanted(): boolean;
};

/** Returns the server with retries: of reads, `PUT`s and requests marked `idempotent`. */
export function withRetries(server: Server, watch: Watch): Server {
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
        await pause(wait);
        if (!watch.isWanted()) throw error;
      }
    }
  }
  const getting =
    (get: Server['get']): Server['get'] =>
    (...parameters) =>
      again(true, () => get(...parameters));
  const sending =
    (send: Server['send']): Server['send'] =>
    (method, schema, path, options) =>
      again(method === 'PUT' || options?.idempotent === true, () => send(method, schema, path, options));
  return {
    ...server,
    get: getting(server.get),
    getChat: getting(server.getChat),
    send: sending(server.send),
    sendChat: sending(server.sendChat),
  };
}
