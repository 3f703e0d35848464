import type { WhoIs } from '../../shared/api/users.ts';
import type { Database } from '../database/schema.ts';
import { listConnections } from './connection-store.ts';
import type { LastSeen } from './last-seen.ts';

export type WhoIsContext = { db: Database; lastSeen: LastSeen };

/**
 * From where a user was last seen, as both endpoints that ask for it answer; all connections stand under one
 * nameless device, as they do at the reference homeserver.
 */
export async function whoIs({ db, lastSeen }: WhoIsContext, userId: string): Promise<WhoIs> {
  await lastSeen.settle();
  const connections = await listConnections(db, userId);
  return {
    user_id: userId,
    devices: {
      '': {
        sessions: [
          {
            connections: connections.map(({ ip, userAgent, lastSeenTs }) => ({
              ip,
              last_seen: lastSeenTs,
              user_agent: userAgent,
            })),
          },
        ],
      },
    },
  };
}
