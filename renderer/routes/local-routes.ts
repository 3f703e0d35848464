/** Screens that need no server to be connected. */
import { createRoute } from '@tanstack/react-router';
import { frameRoute } from './frame-routes.tsx';
import { screen } from './screen.ts';

const localServer = {
  getParentRoute: () => frameRoute,
  component: screen(() => import('../features/local-server/LocalServerScreen.tsx'), 'LocalServerScreen'),
};
export const localServerRoute = createRoute({ ...localServer, path: '/local-server' });
export const localServerPartRoute = createRoute({ ...localServer, path: '/local-server/$part' });

export const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: screen(() => import('../features/settings/SettingsScreen.tsx'), 'SettingsScreen'),
});
