/**
 * The console's address after signing in to a server.
 *
 * @param next the screen that was asked for, with or without the console's base path
 */
export function screenOf(connectionId: string, next = '/console/'): string {
  const target = new URL(next, location.origin);
  target.searchParams.set('server', connectionId);
  return target.pathname.replace(/^(?!\/console)/, '/console') + target.search;
}
