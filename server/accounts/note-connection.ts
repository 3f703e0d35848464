import type { FastifyRequest } from 'fastify';
import type { Cache } from '../core/cache.ts';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { noteConnection } from './connection-store.ts';

/** A connection is written down again only after this time, in milliseconds: most requests are spared it. */
const granularity = 120_000;
/** Older browsers and robots send anything. */
const maximumUserAgent = 500;

/** When a connection was written down last. */
export type NotedConnections = Cache<string, number>;

type Context = { db: Database; clock: Clock; notedConnections: NotedConnections };

/** Notes from where signed-in users call, for whoever asks who someone is. Runs after authentication. */
export function noteConnections({ db, clock, notedConnections: noted }: Context) {
  return async ({ requester, ip, headers }: FastifyRequest): Promise<void> => {
    // What an administrator does as a user says nothing of where the user is.
    if (!requester || requester.actsFor !== undefined) return;
    // A socket that is gone already has no address.
    if (!ip) return;
    const userAgent = (headers['user-agent'] ?? '').slice(0, maximumUserAgent).toWellFormed();
    const now = clock.now();
    const key = JSON.stringify([requester.userId, requester.deviceId, ip, userAgent]);
    const last = noted.get(key);
    if (last !== undefined && now - last < granularity) return;
    noted.set(key, now);
    await inTransaction(db, (tx) => noteConnection(tx, requester, { ip, userAgent, lastSeenTs: now }));
  };
}
