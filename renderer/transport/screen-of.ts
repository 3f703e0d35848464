/**
 * Returns the path of the screen after sign-in.
 *
 * @param next the requested path, with or without the console's base path
 */
export function screenOf(connectionId: string, next = '/console/'): string {
  const target = new URL(next, location.origin);
  target.searchParams.set('server', connectionId);
  return target.pathname.replace(/^(?!\/console)/, '/console') + target.search;
}
