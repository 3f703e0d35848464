import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { Type } from 'typebox';
import { connectionsQuery } from './api/connections.ts';
import { eventReportQuery } from './api/event-reports.ts';
import { reportFrameQuery } from './api/report-frame.ts';
import { roomQuery } from './api/room.ts';
import { scheduledTasksQuery } from './api/scheduled-tasks.ts';
import { serverVersionQuery } from './api/server.ts';
import { userQuery } from './api/user.ts';
import { Console, type ConsoleContext } from './console-context.ts';
import { rememberedServer } from './features/connect/remembered-server.ts';
import { ConsoleFrame } from './features/frame/ConsoleFrame.tsx';
import { NoSuchScreen, ScreenFailure } from './features/frame/ScreenFailure.tsx';
import {
  directionOf,
  readReportSearch,
  readStatisticsSearch,
  filterOf as reportFilterOf,
} from './features/reports/report-search.ts';
import { readRoomSearch } from './features/rooms/room-search.ts';
import { readTaskSearch, filterOf as taskFilterOf } from './features/tasks/task-search.ts';
import { readUpgradeSearch } from './features/upgrade/upgrade-search.ts';
import { readUserSearch } from './features/users/user-search.ts';
import { searchOf } from './search.ts';
import { loadWords } from './words/languages.ts';

/** A screen together with the words that it has to itself. */
async function withWords<Screen>(part: Parameters<typeof loadWords>[0], screen: Promise<Screen>) {
  await loadWords(part);
  return screen;
}

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
  validateSearch: searchOf(
    Type.Object({
      /** Where to go on afterwards. */
      next: Type.Optional(Type.String({ pattern: '^/(?!/)' })),
      /** The connection whose session ended: the same server and the same user, and no other. */
      again: Type.Optional(Type.String()),
    }),
  ),
  component: lazyRouteComponent(() => import('./features/connect/ConnectScreen.tsx'), 'ConnectScreen'),
});

/** The rail and the header around every screen; there may be no server. */
const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: async ({ context, search }) => {
    const connections = await context.queryClient.ensureQueryData(connectionsQuery(context.host));
    const remembered = rememberedServer();
    const wanted = search.server ?? remembered.read();
    const connection =
      connections.find(({ id }) => id === wanted) ?? (search.server ? undefined : connections[0]);
    if (connection && remembered.read() !== connection.id) remembered.write(connection.id);
    return { server: connection && context.servers.of(connection) };
  },
  component: function Frame() {
    const { server } = frameRoute.useRouteContext();
    return <ConsoleFrame key={server?.id} server={server} />;
  },
});

/** Everything that needs a connected server; sends whoever has none to sign in, and back afterwards. */
const serverRoute = createRoute({
  getParentRoute: () => frameRoute,
  id: 'server',
  beforeLoad: ({ context, search, location }) => {
    const { server } = context;
    if (!server) throw redirect({ to: '/connect', search: { next: location.href } });
    if (search.server === undefined) {
      throw redirect({ to: location.pathname, search: { ...search, server: server.id }, replace: true });
    }
    return { server };
  },
});

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/reports', replace: true });
  },
});

// Loaders begin what a screen needs while its code is on the way. They don't wait for it: each screen shows
// by itself what is loading, failed or old.

const reportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports',
  validateSearch: readReportSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, server }, deps }) => {
    void queryClient.prefetchQuery(reportFrameQuery(server, reportFilterOf(deps), directionOf(deps)));
    if (deps.report !== undefined) void queryClient.prefetchQuery(eventReportQuery(server, deps.report));
  },
  component: lazyRouteComponent(() => import('./features/reports/ReportsScreen.tsx'), 'ReportsScreen'),
});

const usersRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users',
  validateSearch: readUserSearch,
  component: lazyRouteComponent(() => import('./features/users/UsersScreen.tsx'), 'UsersScreen'),
});

const userRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users/$userId',
  loader: ({ context: { queryClient, server }, params }) =>
    void queryClient.prefetchQuery(userQuery(server, params.userId)),
  component: lazyRouteComponent(() => import('./features/users/UserScreen.tsx'), 'UserScreen'),
});

const roomsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/rooms',
  validateSearch: readRoomSearch,
  component: lazyRouteComponent(() => import('./features/rooms/RoomsScreen.tsx'), 'RoomsScreen'),
});

const roomRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/rooms/$roomId',
  loader: ({ context: { queryClient, server }, params }) =>
    void queryClient.prefetchQuery(roomQuery(server, params.roomId)),
  component: lazyRouteComponent(() => import('./features/rooms/RoomScreen.tsx'), 'RoomScreen'),
});

const statisticsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/statistics',
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(
    () => import('./features/reports/statistics/StatisticsScreen.tsx'),
    'StatisticsScreen',
  ),
});

const tasksRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tasks',
  validateSearch: readTaskSearch,
  // The rest of the address is about what is loaded, and asks for nothing.
  loaderDeps: ({ search }) => taskFilterOf(search),
  loader: ({ context: { queryClient, server }, deps }) =>
    void queryClient.prefetchQuery(scheduledTasksQuery(server, deps)),
  component: lazyRouteComponent(() => import('./features/tasks/TasksScreen.tsx'), 'TasksScreen'),
});

const upgradeRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/upgrade',
  validateSearch: readUpgradeSearch,
  loader: ({ context: { queryClient, server } }) =>
    void queryClient.prefetchQuery(serverVersionQuery(server)),
  component: lazyRouteComponent(
    () => withWords('upgrade', import('./features/upgrade/UpgradeScreen.tsx')),
    'UpgradeScreen',
  ),
});

const localServerRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/local-server',
  component: lazyRouteComponent(
    () => import('./features/local-server/LocalServerScreen.tsx'),
    'LocalServerScreen',
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./features/settings/SettingsScreen.tsx'), 'SettingsScreen'),
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  connectRoute,
  frameRoute.addChildren([
    settingsRoute,
    localServerRoute,
    serverRoute.addChildren([
      reportsRoute,
      statisticsRoute,
      tasksRoute,
      upgradeRoute,
      usersRoute,
      userRoute,
      roomsRoute,
      roomRoute,
    ]),
  ]),
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
