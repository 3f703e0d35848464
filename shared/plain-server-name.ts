/** What a server is called where its name is not among the console's own words: the system may take it for markup. */
import type { Connection } from './connection.ts';

/** Its name, which its administrator's user id ends with, where it is one; the host of its address where not. */
export function plainServerName({ userId, baseUrl }: Pick<Connection, 'userId' | 'baseUrl'>): string {
  const name = userId.slice(userId.indexOf(':') + 1);
  return /^[a-z0-9.[\]:-]{1,255}$/i.test(name) ? name : new URL(baseUrl).host;
}
