import type { Session } from '../../shared/session.ts';
import { tokenRefresh } from '../../shared/token-refresh.ts';
import { sendFromPage } from './fetch.ts';
import type { SessionStore } from './sessions.ts';

/** How long another tab's tokens may be on their way, in milliseconds. */
const patience = 3_000;

/** Sends a request with the session's token; if the server refuses it, once more with a renewed one. */
export type Authorized = <Reply extends { status: number }>(
  connectionId: string,
  attempt: (session: Session) => Promise<Reply>,
) => Promise<Reply>;

/** Renews the tokens of this tab's sessions; of the tabs that share a session, one at a time. */
export const pageTokenRefresh = (sessions: SessionStore) =>
  tokenRefresh({
    find: sessions.find,
    save: sessions.save,
    send: (request) => sendFromPage(request),
    now: Date.now,
    // Not where a page isn't served securely.
    ...(navigator.locks && {
      alone: (connectionId, job) => navigator.locks.request(`gatehouse.refresh ${connectionId}`, job),
    }),
    renewedElsewhere: ({ connection, accessToken }) => {
      const { promise, resolve } = Promise.withResolvers<Session | undefined>();
      const look = () => {
        const found = sessions.find(connection.id);
        if (found?.accessToken !== accessToken) resolve(found);
      };
      const unsubscribe = sessions.subscribe(look);
      const timer = setTimeout(() => resolve(undefined), patience);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        unsubscribe();
      });
    },
  });
