/** A server as a whole: its home, its tasks, its neighbours, its next version, and who may come in. */
import { createRoute } from '@tanstack/react-router';
import { scheduledTasksQuery } from '../api/scheduled-tasks.ts';
import { serverVersionQuery } from '../api/server.ts';
import { enteredBy } from '../entrance.ts';
import { readDestinationSearch } from '../features/federation/destination-search.ts';
import { readTaskSearch, filterOf as taskFilterOf } from '../features/tasks/task-search.ts';
import { readTokenSearch } from '../features/tokens/token-search.ts';
import { readUpgradeSearch } from '../features/upgrade/upgrade-search.ts';
import { serverRoute } from './frame-routes.tsx';
import { screen } from './screen.ts';

export const homeRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/home',
  loader: () => enteredBy('home'),
  component: screen(() => import('../features/home/HomeScreen.tsx'), 'HomeScreen'),
});

export const tasksRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tasks',
  validateSearch: readTaskSearch,
  // The rest of the address is about what is loaded, and asks for nothing.
  loaderDeps: ({ search }) => taskFilterOf(search),
  loader: ({ context: { queryClient, server }, deps }) =>
    void queryClient.prefetchQuery(scheduledTasksQuery(server, deps)),
  component: screen(() => import('../features/tasks/TasksScreen.tsx'), 'TasksScreen'),
});

export const backgroundUpdatesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tasks/background-updates',
  component: screen(
    () => import('../features/background-updates/BackgroundUpdatesScreen.tsx'),
    'BackgroundUpdatesScreen',
  ),
});

export const federationRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/federation',
  validateSearch: readDestinationSearch,
  component: screen(() => import('../features/federation/FederationScreen.tsx'), 'FederationScreen'),
});

export const destinationRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/federation/$destination',
  component: screen(() => import('../features/federation/DestinationScreen.tsx'), 'DestinationScreen'),
});

export const upgradeRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/upgrade',
  validateSearch: readUpgradeSearch,
  loader: ({ context: { queryClient, server } }) =>
    void queryClient.prefetchQuery(serverVersionQuery(server)),
  component: screen(() => import('../features/upgrade/UpgradeScreen.tsx'), 'UpgradeScreen'),
});

export const tokensRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tokens',
  validateSearch: readTokenSearch,
  component: screen(() => import('../features/tokens/TokensScreen.tsx'), 'TokensScreen'),
});
