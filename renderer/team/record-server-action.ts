import type { Server } from '../transport/server.ts';
import { teamOf } from './team-store.ts';

/** Logs a change of the server as a whole, with the acting admin as its subject. */
export const recordServerAction = (server: Server, action: string, detail?: string) =>
  teamOf(server)
    .snapshot()
    .record({
      action,
      subject: { kind: 'user', userId: server.connection.userId },
      reports: [],
      outcome: 'done',
      ...(detail !== undefined && { detail }),
    });
