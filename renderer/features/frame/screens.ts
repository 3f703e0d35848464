import {
  type Icon,
  IconFlag,
  IconHome,
  IconListCheck,
  IconMessages,
  IconPhoto,
  IconServer2,
  IconSettings,
  IconStairsUp,
  IconTicket,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import type { QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Endpoint, Offered } from '../../api/offered.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';

export type Screen = {
  path:
    | '/home'
    | '/reports'
    | '/users'
    | '/rooms'
    | '/media'
    | '/tokens'
    | '/tasks'
    | '/upgrade'
    | '/federation'
    | '/local-server'
    | '/settings';
  /** What the screen opens with. */
  search?: { queue: 'unreviewed' };
  name: string;
  icon: Icon;
  /** Shown in the desktop app, and where the connected server lets testers look into it from here. */
  shellOnly?: boolean;
  /** At the rail's lower end. */
  last?: boolean;
  /** Left out where it is known that the connected server has no such thing. */
  needs?: Endpoint;
  /** Most servers lack it: left out until it is known that the connected one does not, and without a key. */
  rare?: true;
};

/** The rail and the command palette, in order. A new screen is one entry here and one route. */
export const screens: Screen[] = [
  { path: '/home', name: /*i18n*/ 'Home', icon: IconHome },
  { path: '/reports', search: { queue: 'unreviewed' }, name: /*i18n*/ 'Reports', icon: IconFlag },
  { path: '/users', name: /*i18n*/ 'Users', icon: IconUsers },
  { path: '/rooms', name: /*i18n*/ 'Rooms', icon: IconMessages },
  { path: '/media', name: /*i18n*/ 'Media', icon: IconPhoto },
  { path: '/tokens', name: /*i18n*/ 'Registration tokens', icon: IconTicket, needs: 'registrationTokens' },
  { path: '/tasks', name: /*i18n*/ 'Tasks', icon: IconListCheck },
  { path: '/upgrade', name: /*i18n*/ 'Upgrade', icon: IconStairsUp },
  { path: '/federation', name: /*i18n*/ 'Federation', icon: IconWorld, needs: 'destinations', rare: true },
  { path: '/local-server', name: /*i18n*/ 'Local server', icon: IconServer2, shellOnly: true },
  { path: '/settings', name: /*i18n*/ 'Settings', icon: IconSettings, last: true },
];

/** The screens that there are here: without what the connected server is known not to have. Nothing is asked for it. */
export function useShownScreens(): Screen[] {
  const { host } = useConsole();
  const server = useServerIfAny();
  const offered = useKnown<Offered>([server?.id, 'offered']);
  const bench = useKnown<boolean>([server?.id, 'workbench']);
  return screens.filter(
    ({ shellOnly, needs, rare }) =>
      (!shellOnly || host.shell || bench) && (!needs || (offered?.has(needs) ?? !rare)),
  );
}

/** What others asked for. As one more query it would take away the function by which those ask once more. */
function useKnown<Data>(key: QueryKey): Data | undefined {
  const { queryClient } = useConsole();
  return useSyncExternalStore(
    (listener) => queryClient.getQueryCache().subscribe(listener),
    () => queryClient.getQueryData<Data>(key),
  );
}
