import type { NavigateOptions } from '@tanstack/react-router';
import type { PendingView } from '../../../shared/bridge.ts';
import type { consoleRouter } from '../../router.ts';
import type { Shell } from '../../transport/host.ts';

type Router = ReturnType<typeof consoleRouter>;

/**
 * Opens the target of a click outside the window: a notification, a tray item or a link. Returns an unsubscribe
 * function.
 */
export function followExternalNavigation(shell: Shell, router: Router): () => void {
  const show = async () => {
    const target = await shell.takePendingView();
    if (target) await router.navigate(locationOf(target) as NavigateOptions<Router>);
  };
  const unsubscribe = shell.onPendingView(() => void show());
  // The click may have started the app.
  void show();
  return unsubscribe;
}

function locationOf({ connectionId: server, shown }: PendingView) {
  switch (shown.kind) {
    case 'queue':
      return { to: '/reports', search: { server, queue: 'unreviewed' } };
    case 'report':
      return { to: '/reports', search: { server, report: shown.id } };
    case 'filed-report': {
      const params = { reportId: String(shown.id) };
      const to = shown.of === 'user' ? '/reports/users/$reportId' : '/reports/rooms/$reportId';
      return { to, params, search: { server } };
    }
    case 'filed-reports':
      return { to: shown.of === 'user' ? '/reports/users' : '/reports/rooms', search: { server } };
    case 'home':
      return { to: '/home', search: { server } };
    case 'user':
      return { to: '/users/$userId', params: { userId: shown.userId }, search: { server } };
    case 'room':
      return { to: '/rooms/$roomId', params: { roomId: shown.roomId }, search: { server } };
  }
}
