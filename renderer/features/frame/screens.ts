import {
  type Icon,
  IconBasket,
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
import { useQuery } from '@tanstack/react-query';
import { useBasket } from '../../actions/basket/use-basket.ts';
import { hasWorkbenchQuery } from '../../api/shell.ts';
import { type Endpoint, offeredQuery } from '../../api/supported-endpoints.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { idleQuery } from '../../query-client.ts';

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
    | '/basket'
    | '/local-server'
    | '/settings';
  /** Initial search parameters. */
  search?: { queue: 'unreviewed' };
  name: string;
  /** On the rail, where long words break. */
  shortName?: string;
  icon: Icon;
  /** Only in the desktop app, and for servers with developer tools. */
  shellOnly?: boolean;
  /** At the bottom of the rail. */
  last?: boolean;
  /** Hidden if the server is known to lack this endpoint. */
  needs?: Endpoint;
  /** Hidden until the server is known to have it; without a digit. */
  rare?: true;
  /** In place of the digit. */
  key?: string;
};

/** The rail and the command palette, in order. A new screen is one entry here and one route. */
export const screens: Screen[] = [
  { path: '/home', name: /*i18n*/ 'Home', icon: IconHome },
  { path: '/reports', search: { queue: 'unreviewed' }, name: /*i18n*/ 'Reports', icon: IconFlag },
  { path: '/users', name: /*i18n*/ 'Users', icon: IconUsers },
  { path: '/rooms', name: /*i18n*/ 'Rooms', icon: IconMessages },
  { path: '/media', name: /*i18n*/ 'Media', icon: IconPhoto },
  {
    path: '/tokens',
    name: /*i18n*/ 'Registration tokens',
    shortName: /*i18n*/ 'Tokens',
    icon: IconTicket,
    needs: 'registrationTokens',
  },
  { path: '/tasks', name: /*i18n*/ 'Tasks', icon: IconListCheck },
  { path: '/upgrade', name: /*i18n*/ 'Upgrade', icon: IconStairsUp },
  {
    path: '/federation',
    name: /*i18n*/ 'Federation',
    icon: IconWorld,
    needs: 'destinations',
    rare: true,
    key: 'F',
  },
  // Only while something is in it.
  { path: '/basket', name: /*i18n*/ 'Basket', icon: IconBasket, rare: true },
  { path: '/local-server', name: /*i18n*/ 'Local server', icon: IconServer2, shellOnly: true },
  { path: '/settings', name: /*i18n*/ 'Settings', icon: IconSettings, last: true },
];

/** Returns the screens for the connected server, from cached features only. */
export function useAvailableScreens(): Screen[] {
  const { host } = useConsole();
  const server = useServerIfAny();
  const { data: offered } = useQuery(server ? { ...offeredQuery(server), enabled: false } : idleQuery);
  const { data: hasWorkbench } = useQuery(
    server ? { ...hasWorkbenchQuery(host, server.connection), enabled: false } : idleQuery,
  );
  const basket = useBasket(server);
  return screens.filter(
    ({ path, shellOnly, needs, rare }) =>
      (path !== '/basket' || basket.length > 0) &&
      (!shellOnly || host.shell || hasWorkbench) &&
      (!needs || (offered?.has(needs) ?? !rare)),
  );
}
