import { fits } from '../../shared/fits.ts';
import { type SessionStore, Sessions } from './sessions.ts';

/** Of another tab's reply; longer if its lock shows that it has sessions. */
const replyTimeoutMs = { unknown: 150, known: 5_000 };
const name = 'gatehouse.sessions';
const request = 'who is signed in?';

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
        if (!isReceiving) tabs.postMessage(store.all());
      });
      const answered = new Promise<void>((resolve) => {
        tabs.onmessage = ({ data }) => {
          if (data === request) {
            if (store.all().length > 0) tabs.postMessage(store.all());
            return;
          }
          if (!fits(Sessions, data) || JSON.stringify(data) === JSON.stringify(store.all())) return;
          isReceiving = true;
          store.replace(data);
          isReceiving = false;
          onChange();
          resolve();
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
      tabs.postMessage(request);
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
