/** Shows what somebody clicked on outside of the window: a notification, an entry of the tray, a link. */
import type { NavigateOptions } from '@tanstack/react-router';
import type { Wanted } from '../../../shared/bridge.ts';
import type { consoleRouter } from '../../router.ts';
import type { Shell } from '../../transport/host.ts';

type Router = ReturnType<typeof consoleRouter>;

export function followWanted(shell: Shell, router: Router): void {
  const show = async () => {
    const wanted = await shell.takeWanted();
    if (wanted) await router.navigate(placeOf(wanted) as NavigateOptions<Router>);
  };
  shell.onWanted(() => void show());
  // It may have been clicked on before there was a page.
  void show();
}

function placeOf({ connectionId: server, shown }: Wanted) {
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
