import type { Connection } from '../../shared/connection.ts';

/** The server's own name is the second half of its administrator's user id. */
export function serverName({ userId, baseUrl }: Connection): string {
  const colon = userId.indexOf(':');
  return colon === -1 ? new URL(baseUrl).host : userId.slice(colon + 1);
}

/** The name, and as much more as it takes to tell it from the others: its address, then whose session it is. */
export function serverLabel(connection: Connection, all: readonly Connection[]): string {
  const name = serverName(connection);
  const namesakes = all.filter((other) => other.id !== connection.id && serverName(other) === name);
  if (namesakes.length === 0) return name;
  const { baseUrl, userId } = connection;
  const isShared = namesakes.some((other) => other.baseUrl === baseUrl);
  return isShared ? `${name} (${userId}, ${baseUrl})` : `${name} (${baseUrl})`;
}

/** Returns the part of a user ID between `@` and the colon. */
export const localpartOf = (userId: string) => userId.slice(1).split(':', 1)[0] ?? '';
