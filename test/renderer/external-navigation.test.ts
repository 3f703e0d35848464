/** Opening what was clicked outside the window. */
import { expect, test } from 'vitest';
import { followExternalNavigation } from '../../renderer/features/frame/external-navigation.ts';
import type { Shell } from '../../renderer/transport/host.ts';
import type { PendingView } from '../../shared/bridge.ts';

type Follow = Parameters<typeof followExternalNavigation>;

function shellWith(first?: PendingView['shown']) {
  const opened: unknown[] = [];
  let pending = first;
  let notify: (() => void) | undefined;
  const shell = {
    async takePendingView() {
      const shown = pending;
      pending = undefined;
      return shown && { connectionId: 'a@x', shown };
    },
    onPendingView(listener: () => void) {
      notify = listener;
      return () => {
        notify = undefined;
      };
    },
  } as unknown as Shell;
  const router = { navigate: async (to: unknown) => void opened.push(to) } as unknown as Follow[1];
  const click = (shown: PendingView['shown']) => {
    pending = shown;
    notify?.();
  };
  return { shell, router, opened, click };
}
const settled = () => new Promise(setImmediate);

test.each<[PendingView['shown'], object]>([
  [{ kind: 'home' }, { to: '/home' }],
  [{ kind: 'queue' }, { to: '/reports', search: { queue: 'unreviewed' } }],
  [
    { kind: 'report', id: 7 },
    { to: '/reports', search: { report: 7 } },
  ],
  [
    { kind: 'filed-report', of: 'user', id: 7 },
    { to: '/reports/users/$reportId', params: { reportId: '7' } },
  ],
  [
    { kind: 'filed-report', of: 'room', id: 7 },
    { to: '/reports/rooms/$reportId', params: { reportId: '7' } },
  ],
  [{ kind: 'filed-reports', of: 'user' }, { to: '/reports/users' }],
  [{ kind: 'filed-reports', of: 'room' }, { to: '/reports/rooms' }],
  [
    { kind: 'user', userId: '@eve:x' },
    { to: '/users/$userId', params: { userId: '@eve:x' } },
  ],
  [
    { kind: 'room', roomId: '!r:x' },
    { to: '/rooms/$roomId', params: { roomId: '!r:x' } },
  ],
])('%j is opened on its server', async (shown, expected) => {
  const { shell, router, opened } = shellWith(shown);
  followExternalNavigation(shell, router);
  await settled();
  const { search = {}, ...location } = expected as { search?: object };
  expect(opened).toEqual([{ ...location, search: { server: 'a@x', ...search } }]);
});

test('later clicks are followed until the console closes', async () => {
  const { shell, router, opened, click } = shellWith();
  const stop = followExternalNavigation(shell, router);
  await settled();
  expect(opened).toEqual([]);
  click({ kind: 'home' });
  await settled();
  expect(opened).toHaveLength(1);
  stop();
  click({ kind: 'queue' });
  await settled();
  expect(opened).toHaveLength(1);
});
