import type { WhoIs } from '../../shared/api/users.ts';
import type { Database } from '../database/schema.ts';
import { listConnections } from './connection-store.ts';

/** From where a user was last seen; all connections stand under one nameless device, as they do at the reference. */
export async function whoIs(db: Database, userId: string): Promise<WhoIs> {
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
