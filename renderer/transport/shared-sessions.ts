import { fits } from '../../shared/fits.ts';
import { Sessions, type sessionStore } from './sessions.ts';

/** How long a new tab waits for another one to answer, in milliseconds: longer where one is known to have the answer. */
const patience = { unknown: 150, known: 5_000 };
const name = 'gatehouse.sessions';
const question = 'who is signed in?';

/**
 * The tabs of one person share their sessions: a new tab asks the others, and signing in or out in one holds
 * in all. Nothing is written down for it, so that the sessions still end with the last tab.
 *
 * @param onChange called when another tab signed in or out
 */
export async function shareSessions(
  store: ReturnType<typeof sessionStore>,
  onChange: () => void,
): Promise<void> {
  const tabs = new BroadcastChannel(name);
  // Not where a page is not served securely.
  const locks: LockManager | undefined = navigator.locks;
  let isOthers = false;
  store.subscribe(() => {
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
  if (locks) sayWhileSignedIn(store, locks);
  if (!asks) return;
  tabs.postMessage(question);
  const wait = isKnown ? patience.known : patience.unknown;
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, wait))]);
}

/** A lock is seen at once, however busy the tab is that holds it, and ends with it. */
function sayWhileSignedIn(store: ReturnType<typeof sessionStore>, locks: LockManager): void {
  let held: PromiseWithResolvers<void> | undefined;
  const follow = () => {
    if (store.all().length > 0 === (held !== undefined)) return;
    held?.resolve();
    held = held ? undefined : Promise.withResolvers();
    if (held) void locks.request(name, { mode: 'shared' }, () => held?.promise);
  };
  store.subscribe(follow);
  follow();
}
