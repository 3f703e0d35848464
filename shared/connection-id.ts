/**
 * Returns the ID of a connection. It stays the same after signing in again, so that links and locally stored data, such as
 * notes, keep working.
 */
export function connectionId(userId: string, baseUrl: string): string {
  const { protocol, host, port, pathname } = new URL(baseUrl);
  // http differs from https, also without a port.
  const place = protocol === 'http:' && !port ? `${host}:80` : host;
  const localpart = userId.slice(1).split(':', 1)[0];
  return `${localpart}@${place}${pathname === '/' ? '' : pathname}`;
}
