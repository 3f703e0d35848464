import { Type } from 'typebox';
import { fits } from '../../shared/fits.ts';
import { newId } from '../new-id.ts';
import { type SessionStore, Sessions } from './sessions.ts';

/** Timeout of another tab's reply; longer if its lock shows that it has sessions. */
const replyTimeoutMs = { unknown: 150, known: 5_000 };
const name = 'gatehouse.sessions';

/**
 * A request for the others' sessions has only an ID, and a reply the ID of its request. A change has none and applies to
 * all tabs.
 */
const Message = Type.Object({ requestId: Type.Optional(Type.String()), sessions: Type.Optional(Sessions) });

/**
 * Shares sessions between tabs: each requests them from the others when it loads, and signing in or out applies to all. Nothing
 * is stored, so sessions still end with the last tab.
 */
export function sharedSessions(store: SessionStore) {
  let end = () => {};
  return {
    /**
     * Resolves once another tab replied, or none did in time.
     *
     * @param onChange called when another tab signs in or out
     */
    async join(onChange: () => void): Promise<void> {
      const tabs = new BroadcastChannel(name);
      // Undefined outside a secure context.
      const locks: LockManager | undefined = navigator.locks;
      let isReceiving = false;
      const unsubscribe = store.subscribe(() => {
        if (!isReceiving) tabs.postMessage({ sessions: store.all() });
      });
      // A reply that comes after a change may be older.
      let awaitedId: string | undefined = newId();
      const answered = new Promise<void>((resolve) => {
        tabs.onmessage = ({ data }) => {
          if (!fits(Message, data)) return;
          const { requestId, sessions } = data;
          if (!sessions) {
            if (store.all().length > 0) tabs.postMessage({ requestId, sessions: store.all() });
            return;
          }
          if (requestId !== undefined && requestId !== awaitedId) return;
          awaitedId = undefined;
          resolve();
          if (JSON.stringify(sessions) === JSON.stringify(store.all())) return;
          isReceiving = true;
          store.replace(sessions);
          isReceiving = false;
          onChange();
        };
      });
      const isNew = store.all().length === 0;
      const hasPeer =
        isNew && (await locks?.query().catch(() => undefined))?.held?.some((lock) => lock.name === name);
      const release = locks && holdLockWhileSignedIn(store, locks);
      end = () => {
        unsubscribe();
        tabs.close();
        release?.();
      };
      tabs.postMessage({ requestId: awaitedId });
      // Its tokens may have been refreshed by another tab while this one was away.
      if (!isNew) return;
      const timeoutMs = hasPeer ? replyTimeoutMs.known : replyTimeoutMs.unknown;
      await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, timeoutMs))]);
    },
    close: () => end(),
  };
}

/** Marks this tab as having sessions, even while it's too busy to reply. Returns a function that releases the lock. */
function holdLockWhileSignedIn(store: SessionStore, locks: LockManager): () => void {
  let held: PromiseWithResolvers<void> | undefined;
  const follow = () => {
    if (store.all().length > 0 === (held !== undefined)) return;
    held?.resolve();
    held = held ? undefined : Promise.withResolvers();
    if (held) void locks.request(name, { mode: 'shared' }, () => held?.promise);
  };
  const unsubscribe = store.subscribe(follow);
  follow();
  return () => {
    unsubscribe();
    held?.resolve();
  };
}
