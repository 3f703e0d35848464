/** Which of the requests that a server got are the console's own work, and no client's that somebody tests. */
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';

export type OwnPage = {
  /** Where the page comes from, such as `http://127.0.0.1:8008`. */
  origin: string;
  /** What it calls itself; in the desktop app the main process says the same. */
  userAgent: string;
  /** Whether it is in the desktop app, which says nothing of where its requests come from. */
  isApp: boolean;
  /** Who is signed in to the server that is looked at. */
  userId: string;
};

/**
 * Whether it was made by this console, or by another window of it in the same program, with the session of the person
 * who looks; or was for one of its files. A login that is tried from here is not: it has no session, or another's.
 */
export function isOwn({ method, path, user_id, request }: InspectedRequest, page: OwnPage): boolean {
  const header = (wanted: string) => request.headers.find(([name]) => name === wanted)?.[1];
  if (header('user-agent') !== page.userAgent) return false;
  if (path.startsWith('/console/')) return true;
  const origin = header('origin');
  const isFromPage =
    origin === undefined
      ? header('sec-fetch-site') === (page.isApp ? undefined : 'same-origin')
      : origin === page.origin;
  return isFromPage && (user_id === page.userId || (user_id === null && method === 'GET'));
}
