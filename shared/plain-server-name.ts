/** Server names for the system's own texts, which may interpret markup. */
import type { Connection } from './connection.ts';

/** Returns the domain of the user ID if it's a plain name, else the host of the address. */
export function plainServerName({ userId, baseUrl }: Pick<Connection, 'userId' | 'baseUrl'>): string {
  const name = userId.slice(userId.indexOf(':') + 1);
  return /^[a-z0-9.[\]:-]{1,255}$/i.test(name) ? name : new URL(baseUrl).host;
}
