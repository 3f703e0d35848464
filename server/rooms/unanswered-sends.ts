/**
 * Sends that have no reply yet. A client that is shown its own message before it has the reply takes it for somebody
 * else's: a sync that holds one waits for that reply.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Requester } from '../core/requester.ts';
import { whenClosed } from '../http/gone-signal.ts';

export type UnansweredSends = {
  /** Notes that a request with a transaction identifier has begun, and when its reply has left. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Waits until the reply to each of these transactions has left this process. */
  answered(requester: Requester, transactionIds: readonly string[]): Promise<void>;
};

export function createUnansweredSends(): UnansweredSends {
  const underWay = new Map<string, Promise<void>>();
  const keyOf = ({ userId, deviceId }: Requester, transactionId: string) =>
    `${userId} ${deviceId ?? ''} ${transactionId}`;
  return {
    note({ requester, params }, reply) {
      const key = keyOf(requester, (params as { txnId: string }).txnId);
      const { promise, resolve } = Promise.withResolvers<void>();
      underWay.set(key, promise);
      // Comes after the last byte was handed over, and when the client is gone.
      whenClosed(reply.raw, () => {
        if (underWay.get(key) === promise) underWay.delete(key);
        resolve();
      });
      reply.raw.once('finish', resolve);
    },
    async answered(requester, transactionIds) {
      for (const id of transactionIds) await underWay.get(keyOf(requester, id));
    },
  };
}
