/** A user id as those on this server read it: without the server where it is their own. */
export function shortId(userId: string, ownServer: string): string {
  return userId.endsWith(`:${ownServer}`) ? userId.slice(0, -ownServer.length - 1) : userId;
}
