import type { Session } from '../../shared/session.ts';
import { tokenRefresh } from '../../shared/token-refresh.ts';
import { sendFromPage } from './fetch.ts';
import type { SessionStore } from './sessions.ts';

/** Timeout of another tab's refreshed tokens. */
const otherTabTimeoutMs = 3_000;

/** Sends a request with the session's token. Retries once with a refreshed token if it's rejected. */
export type Authorized = <Reply extends { status: number }>(
  connectionId: string,
  attempt: (session: Session) => Promise<Reply>,
) => Promise<Reply>;

/** Refreshes the tokens of this tab's sessions, in one tab at a time. */
export const pageTokenRefresh = (sessions: SessionStore) =>
  tokenRefresh({
    find: sessions.find,
    save: sessions.save,
    send: (request) => sendFromPage(request),
    now: Date.now,
    // Undefined outside a secure context.
    ...(navigator.locks && {
      alone: (connectionId, job) => navigator.locks.request(`gatehouse.refresh ${connectionId}`, job),
    }),
    renewedElsewhere: ({ connection, accessToken }) => {
      const { promise, resolve } = Promise.withResolvers<Session | undefined>();
      const check = () => {
        const found = sessions.find(connection.id);
        if (found?.accessToken !== accessToken) resolve(found);
      };
      const unsubscribe = sessions.subscribe(check);
      const timer = setTimeout(() => resolve(undefined), otherTabTimeoutMs);
      check();
      return promise.finally(() => {
        clearTimeout(timer);
        unsubscribe();
      });
    },
  });
