import type { Send } from '../../shared/connection.ts';
import type { Session } from '../../shared/session.ts';
import { type TokenRefresh, tokenRefresh } from '../../shared/token-refresh.ts';
import type { sessionStore } from './sessions.ts';

/** How long another tab's tokens may be on their way, in milliseconds. */
const patience = 3_000;

/** Renews the tokens of a tab's sessions; of the tabs that share a session, one at a time. */
export const pageTokenRefresh = (sessions: ReturnType<typeof sessionStore>, send: Send): TokenRefresh =>
  tokenRefresh({
    find: sessions.find,
    save: sessions.save,
    send,
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
