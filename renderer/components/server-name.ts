import type { Connection } from '../../shared/connection.ts';

/** The server's own name is the second half of its administrator's user id. */
export function serverName({ userId, baseUrl }: Connection): string {
  const colon = userId.indexOf(':');
  return colon === -1 ? new URL(baseUrl).host : userId.slice(colon + 1);
}
