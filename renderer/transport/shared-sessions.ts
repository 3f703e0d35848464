import { Check } from 'typebox/schema';
import { Sessions, type sessionStore } from './sessions.ts';

/** How long a new tab waits for another one to answer, in milliseconds. */
const patience = 150;
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
  const tabs = new BroadcastChannel('gatehouse.sessions');
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
      if (!Check(Sessions, data) || JSON.stringify(data) === JSON.stringify(store.all())) return;
      isOthers = true;
      store.replace(data);
      isOthers = false;
      onChange();
      resolve();
    };
  });
  if (store.all().length > 0) return;
  tabs.postMessage(question);
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, patience))]);
}
