import type { Connection } from '../../shared/connection.ts';

/** Returns the domain of the admin's user ID. */
export function serverName({ userId, baseUrl }: Connection): string {
  const colon = userId.indexOf(':');
  return colon === -1 ? new URL(baseUrl).host : userId.slice(colon + 1);
}

/** Returns the server name, with its URL and the user ID if needed to distinguish it from others. */
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
