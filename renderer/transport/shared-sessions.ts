import { fits } from '../../shared/fits.ts';
import { type SessionStore, Sessions } from './sessions.ts';

/** How long a new tab waits for another one to answer, in milliseconds: longer where one is known to have the answer. */
const patience = { unknown: 150, known: 5_000 };
const name = 'gatehouse.sessions';
const question = 'who is signed in?';

/**
 * Shares sessions between a person's tabs: a new tab asks the others, and signing in or out in one counts in all.
 * Nothing is stored for it, so sessions still end with the last tab.
 */
export function sharedSessions(store: SessionStore) {
  let end = () => {};
  return {
    /**
     * Resolves once another tab has answered, or none does in time.
     *
     * @param onChange called when another tab signs in or out
     */
    async join(onChange: () => void): Promise<void> {
      const tabs = new BroadcastChannel(name);
      // Absent where the page isn't served securely.
      const locks: LockManager | undefined = navigator.locks;
      let isOthers = false;
      const unsubscribe = store.subscribe(() => {
        if (!isOthers) tabs.postMessage(store.all());
      });
      const answered = new Promise<void>((resolve) => {
        tabs.onmessage = ({ data }) => {
          if (data === question) {
            if (store.all().length > 0) tabs.postMessage(store.all());
            return;
          }
          if (!fits(Sessions, data) || JSON.stringify(data) === JSON.stringify(store.all())) return;
          isOthers = true;
          store.replace(data);
          isOthers = false;
          onChange();
          resolve();
        };
      });
      const asks = store.all().length === 0;
      const isKnown =
        asks && (await locks?.query().catch(() => undefined))?.held?.some((lock) => lock.name === name);
      const release = locks && holdWhileSignedIn(store, locks);
      end = () => {
        unsubscribe();
        tabs.close();
        release?.();
      };
      if (!asks) return;
      tabs.postMessage(question);
      const wait = isKnown ? patience.known : patience.unknown;
      await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, wait))]);
    },
    close: () => end(),
  };
}

/** Other tabs see a lock at once, however busy its tab is; it ends with the tab. Returns what releases it. */
function holdWhileSignedIn(store: SessionStore, locks: LockManager): () => void {
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
