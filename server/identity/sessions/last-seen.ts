/** Saves the IP addresses and user agents of users, without making a request wait for it. */
import ipaddr from 'ipaddr.js';
import { createWriteBehind, type WriteBehind } from '../../platform/concurrency/write-behind.ts';
import type { Cache } from '../../platform/core/cache.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import type { Requester } from '../../platform/core/requester.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { insertConnections, type NewConnection } from './connection-store.ts';

/** A connection is saved again only after this time, in milliseconds: most requests need no write. */
const granularity = 120_000;
/** How long connections are gathered before they are saved, in milliseconds. */
const gathering = 1_000;
/** Older browsers and robots send anything. */
const maximumUserAgent = 500;
/** In characters: an IPv6 address with the name of a network interface. */
const maximumAddress = 64;

export type LastSeen = Pick<WriteBehind<object>, 'settle' | 'stop'> & {
  note(requester: Requester, ip: string | undefined, userAgent: string | undefined): void;
};

type Context = { db: Database; clock: Clock; log: Log };

/** When each connection was last noted, by the monotonic clock. */
type NotedConnections = Cache<string, number>;

export function createLastSeen({ db, clock, log }: Context, noted: NotedConnections): LastSeen {
  const connections = createWriteBehind<NewConnection>(
    { clock, log },
    "accounts: couldn't save user IP addresses",
    (batch) => inTransaction(db, (tx) => insertConnections(tx, batch)),
    gathering,
  );
  return {
    note({ userId, deviceId, actsFor }, ip, userAgent = '') {
      // Requests of an administrator who acts as the user don't show where the user is.
      if (actsFor !== undefined) return;
      const now = clock.monotonic();
      const program = userAgent.slice(0, maximumUserAgent);
      const key = `${userId} ${deviceId} ${ip} ${program}`;
      const last = noted.get(key);
      if (last !== undefined && now - last < granularity) return;
      // A closed socket has no address; a proxy may pass on anything.
      if (!ip || !isAddress(ip)) return;
      const connection = { userId, deviceId, ip, userAgent: program.toWellFormed(), lastSeenTs: clock.now() };
      if (connections.put(key, connection)) noted.set(key, now);
    },
    settle: connections.settle,
    stop: connections.stop,
  };
}

const isAddress = (text: string) => text.length <= maximumAddress && ipaddr.isValid(text);
