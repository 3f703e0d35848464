import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { Type } from 'typebox';
import { connectionsQuery } from './api/connections.ts';
import { Console, type ConsoleContext } from './console-context.ts';
import { ConnectScreen } from './features/connect/ConnectScreen.tsx';
import { rememberedServer } from './features/connect/remembered-server.ts';
import { ConsoleFrame } from './features/frame/ConsoleFrame.tsx';
import { NoSuchScreen, ScreenFailure } from './features/frame/ScreenFailure.tsx';
import { LocalServerScreen } from './features/local-server/LocalServerScreen.tsx';
import { ReportsScreen } from './features/reports/ReportsScreen.tsx';
import { ReportSearch } from './features/reports/report-search.ts';
import { SettingsScreen } from './features/settings/SettingsScreen.tsx';
import { TasksScreen } from './features/tasks/TasksScreen.tsx';
import { TaskSearch } from './features/tasks/task-search.ts';
import { UpgradeScreen } from './features/upgrade/UpgradeScreen.tsx';
import { UpgradeSearch } from './features/upgrade/upgrade-search.ts';
import { searchOf } from './search.ts';

const rootRoute = createRootRouteWithContext<ConsoleContext>()({
  validateSearch: searchOf(Type.Object({ server: Type.Optional(Type.String()) })),
  // Which server a view belongs to is part of its address, wherever a link leads.
  search: { middlewares: [retainSearchParams(['server'])] },
  component: function Root() {
    return (
      <Console value={rootRoute.useRouteContext()}>
        <Outlet />
      </Console>
    );
  },
});

const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connect',
  validateSearch: searchOf(Type.Object({ next: Type.Optional(Type.String({ pattern: '^/(?!/)' })) })),
  component: ConnectScreen,
});

/** Everything that needs a connected server; sends whoever has none to sign in, and back afterwards. */
const serverRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'server',
  beforeLoad: async ({ context, search, location }) => {
    const connections = await context.queryClient.ensureQueryData(connectionsQuery(context.host));
    const remembered = rememberedServer();
    const wanted = search.server ?? remembered.read();
    const connection =
      connections.find(({ id }) => id === wanted) ?? (search.server ? undefined : connections[0]);
    if (!connection) throw redirect({ to: '/connect', search: { next: location.href } });
    if (remembered.read() !== connection.id) remembered.write(connection.id);
    if (search.server === undefined) {
      throw redirect({ to: location.pathname, search: { ...search, server: connection.id }, replace: true });
    }
    return { connection };
  },
  component: function ServerScreens() {
    const { connection } = serverRoute.useRouteContext();
    return <ConsoleFrame key={connection.id} connection={connection} />;
  },
});

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/reports', replace: true });
  },
});

const reportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports',
  validateSearch: searchOf(ReportSearch),
  component: ReportsScreen,
});

const tasksRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tasks',
  validateSearch: searchOf(TaskSearch),
  component: TasksScreen,
});

const upgradeRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/upgrade',
  validateSearch: searchOf(UpgradeSearch),
  component: UpgradeScreen,
});

const localServerRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/local-server',
  component: LocalServerScreen,
});

const settingsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/settings',
  component: SettingsScreen,
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  connectRoute,
  serverRoute.addChildren([reportsRoute, tasksRoute, upgradeRoute, localServerRoute, settingsRoute]),
]);

export const consoleRouter = (context: ConsoleContext) =>
  createRouter({
    routeTree,
    context,
    basepath: '/console',
    defaultErrorComponent: ScreenFailure,
    defaultNotFoundComponent: NoSuchScreen,
    defaultStructuralSharing: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof consoleRouter>;
  }
}
