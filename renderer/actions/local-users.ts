import type { Server } from '../transport/server.ts';

/** Whether a user is of the connected server itself; others are administered elsewhere. */
export const isLocal = ({ connection }: Pick<Server, 'connection'>, userId: string) =>
  serverPart(userId) === serverPart(connection.userId);

export const serverPart = (userId: string) => userId.slice(userId.indexOf(':') + 1);
