import {
  type Icon,
  IconFlag,
  IconHome,
  IconListCheck,
  IconMessages,
  IconServer2,
  IconSettings,
  IconStairsUp,
  IconUsers,
} from '@tabler/icons-react';

export type Screen = {
  path: '/home' | '/reports' | '/users' | '/rooms' | '/tasks' | '/upgrade' | '/local-server' | '/settings';
  name: string;
  icon: Icon;
  /** Shown only in the desktop app. */
  shellOnly?: boolean;
  /** At the rail's lower end. */
  last?: boolean;
};

/** The rail and the command palette, in order. A new screen is one entry here and one route. */
export const screens: Screen[] = [
  { path: '/home', name: /*i18n*/ 'Home', icon: IconHome },
  { path: '/reports', name: /*i18n*/ 'Reports', icon: IconFlag },
  { path: '/users', name: /*i18n*/ 'Users', icon: IconUsers },
  { path: '/rooms', name: /*i18n*/ 'Rooms', icon: IconMessages },
  { path: '/tasks', name: /*i18n*/ 'Tasks', icon: IconListCheck },
  { path: '/upgrade', name: /*i18n*/ 'Upgrade', icon: IconStairsUp },
  { path: '/local-server', name: /*i18n*/ 'Local server', icon: IconServer2, shellOnly: true },
  { path: '/settings', name: /*i18n*/ 'Settings', icon: IconSettings, last: true },
];
