/** Tabs that share their sessions, each with a storage of its own. */
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { sessionStore } from '../../renderer/transport/sessions.ts';
import { sharedSessions } from '../../renderer/transport/shared-sessions.ts';
import { until } from '../until.ts';

const session = {
  connection: {
    id: 'admin@box',
    baseUrl: 'http://box.example',
    dialect: 'matrix' as const,
    userId: '@admin:box.example',
    local: false,
  },
  accessToken: 'secret',
};

vi.stubGlobal('window', new EventTarget());
afterAll(() => void vi.unstubAllGlobals());

/** Opens a tab; `open` resolves once it has joined the others. */
function tab() {
  const kept = new Map<string, string>();
  const store = sessionStore({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage);
  const shared = sharedSessions(store);
  onTestFinished(() => {
    shared.close();
    store.close();
  });
  return { store, open: () => shared.join(() => {}) };
}

test("a busy tab's late reply to a new tab doesn't restore an ended session", async () => {
  const { postMessage } = BroadcastChannel.prototype;
  onTestFinished(() => {
    BroadcastChannel.prototype.postMessage = postMessage;
  });
  const [busy, other, joining] = [tab(), tab(), tab()];
  busy.store.save(session);
  await busy.open();
  await other.open();
  expect(other.store.all()).toEqual([session]);

  const held: (() => void)[] = [];
  BroadcastChannel.prototype.postMessage = function (message) {
    if (message !== null && JSON.stringify(message).includes(session.accessToken)) {
      held.push(() => postMessage.call(this, message));
    } else postMessage.call(this, message);
  };
  const joined = joining.open();
  await until(() => expect(held.length).toBe(2));
  other.store.remove(session.connection.id);
  await until(() => expect(busy.store.all()).toEqual([]));
  const tabs = [busy, other, joining];
  const seen: unknown[] = [];
  for (const { store } of tabs) store.subscribe(() => seen.push(...store.all()));
  for (const release of held) release();
  await joined;
  // A tab's messages arrive in order, so the replies have arrived as well.
  for (const sender of [busy, other]) {
    const accessToken = `after ${tabs.indexOf(sender)}`;
    sender.store.save({ ...session, accessToken });
    const everywhere = tabs.map(() => [{ ...session, accessToken }]);
    await until(() => expect(tabs.map(({ store }) => store.all())).toEqual(everywhere));
  }
  expect(seen).not.toContainEqual(session);
});
