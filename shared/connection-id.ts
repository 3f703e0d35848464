/**
 * What a connection is called: the same after signing in again, so that links to a view of this server keep working, and
 * what a machine keeps of it by that name, such as marks and notes, is found again.
 */
export function connectionId(userId: string, baseUrl: string): string {
  const { protocol, host, port, pathname } = new URL(baseUrl);
  // An address without encryption is another one, also where neither names its port.
  const place = protocol === 'http:' && !port ? `${host}:80` : host;
  const localpart = userId.slice(1).split(':', 1)[0];
  return `${localpart}@${place}${pathname === '/' ? '' : pathname}`;
}
