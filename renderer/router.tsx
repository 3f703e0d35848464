import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { Type } from 'typebox';
import { connectionsQuery } from './api/connections.ts';
import { eventReportQuery } from './api/event-reports.ts';
import { reportFrameQuery } from './api/report-frame.ts';
import { roomQuery } from './api/room.ts';
import { serverVersionQuery } from './api/server.ts';
import { countsAsItGoes, serverSoftwareQuery } from './api/server-software.ts';
import { userQuery } from './api/user.ts';
import { rememberedServer, rememberServer } from './components/remembered-server.ts';
import { Console, type ConsoleContext } from './console-context.ts';
import { enteredBy, entrance } from './entrance.ts';
import { readDestinationSearch } from './features/federation/destination-search.ts';
import { ConsoleFrame } from './features/frame/ConsoleFrame.tsx';
import { NoSuchPage, NoSuchScreen, ScreenFailure } from './features/frame/ScreenFailure.tsx';
import {
  readCleanUpSearch,
  readRoomMediaSearch,
  readTotalsSearch,
  readUploadsSearch,
  totalsFilterOf,
} from './features/media/media-search.ts';
import { readFiledReportSearch } from './features/reports/filed/filed-report-search.ts';
import {
  directionOf,
  readReportSearch,
  readStatisticsSearch,
  filterOf as reportFilterOf,
} from './features/reports/report-search.ts';
import { readRoomPageSearch } from './features/rooms/room-page-search.ts';
import { readRoomSearch, filterOf as roomFilterOf } from './features/rooms/room-search.ts';
import { readTaskSearch, filterOf as taskFilterOf } from './features/tasks/task-search.ts';
import { readTokenSearch } from './features/tokens/token-search.ts';
import { readUpgradeSearch } from './features/upgrade/upgrade-search.ts';
import { readUserPageSearch } from './features/users/user-page-search.ts';
import { readUserSearch, filterOf as userFilterOf } from './features/users/user-search.ts';
import { readValue, searchOf } from './search.ts';

/**
 * A screen with a script of its own. Where that can't be had the screen says so: the router would load the whole
 * page again, and a server that is away has no page either.
 */
const screen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error: Error) => {
        throw new Error(`Missing: ${error.message}`);
      }),
    name,
  );

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
  component: screen(() => import('./features/connect/ConnectScreen.tsx'), 'ConnectScreen'),
});

/** The rail and the header around every screen; there may be no server. */
const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  notFoundComponent: NoSuchPage,
  beforeLoad: async ({ context, search }) => {
    const connections = await context.queryClient.ensureQueryData(connectionsQuery(context.host));
    const wanted = search.server ?? rememberedServer().read();
    const connection =
      connections.find(({ id }) => id === wanted) ?? (search.server ? undefined : connections[0]);
    if (connection) rememberServer(connection);
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
  notFoundComponent: NoSuchPage,
  beforeLoad: ({ context, search, location }) => {
    const { server } = context;
    if (!server) throw redirect({ to: '/connect', search: { next: location.href } });
    if (search.server === undefined) {
      throw redirect({ to: location.pathname, search: { ...search, server: server.id }, replace: true });
    }
    return { server };
  },
});

/** Where no screen is named: each person's own first one. */
const entranceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: ({ search }) => {
    throw redirect({ to: entrance().read() === 'reports' ? '/reports' : '/home', search, replace: true });
  },
});

const filedReports = () => import('./features/reports/filed/FiledReportsScreen.tsx');

// Loaders begin what a screen needs while its code is on the way. They don't wait for it: each screen shows
// by itself what is loading, failed or old. How to ask for a report, a user or a room is there from the beginning,
// since every screen with actions needs it; the rest comes with what its screen is made of.

const ahead = (begin: () => Promise<unknown>) => void begin().catch(() => {});

const homeRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/home',
  loader: () => enteredBy('home'),
  component: screen(() => import('./features/home/HomeScreen.tsx'), 'HomeScreen'),
});

const reportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports',
  validateSearch: readReportSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, server }, deps }) => {
    void queryClient.prefetchQuery(reportFrameQuery(server, reportFilterOf(deps), directionOf(deps)));
    if (deps.report === undefined) return;
    enteredBy('reports');
    void queryClient.prefetchQuery(eventReportQuery(server, deps.report));
  },
  component: screen(() => import('./features/reports/ReportsScreen.tsx'), 'ReportsScreen'),
});

const usersRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users',
  validateSearch: readUserSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, server }, deps }) =>
    ahead(async () => {
      const [{ pageQuery }, { userList }] = await Promise.all([
        import('./api/paging.ts'),
        import('./api/user-list.ts'),
      ]);
      await queryClient.prefetchQuery(pageQuery(userList(server, userFilterOf(deps)), 0));
    }),
  component: screen(() => import('./features/users/UsersScreen.tsx'), 'UsersScreen'),
});

const userRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users/$userId',
  validateSearch: readUserPageSearch,
  loader: ({ context: { queryClient, server }, params }) =>
    void queryClient.prefetchQuery(userQuery(server, params.userId)),
  component: screen(() => import('./features/users/UserScreen.tsx'), 'UserScreen'),
});

const roomsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/rooms',
  validateSearch: readRoomSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, server }, deps }) =>
    ahead(async () => {
      const [{ pageQuery }, { roomList }] = await Promise.all([
        import('./api/paging.ts'),
        import('./api/room-list.ts'),
      ]);
      await queryClient.prefetchQuery(pageQuery(roomList(server, roomFilterOf(deps)), 0));
    }),
  component: screen(() => import('./features/rooms/RoomsScreen.tsx'), 'RoomsScreen'),
});

const roomRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/rooms/$roomId',
  validateSearch: readRoomPageSearch,
  loader: ({ context: { queryClient, server }, params }) =>
    void queryClient.prefetchQuery(roomQuery(server, params.roomId)),
  component: screen(() => import('./features/rooms/RoomScreen.tsx'), 'RoomScreen'),
});

const mediaRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media',
  validateSearch: readTotalsSearch,
  loaderDeps: ({ search }) => search,
  // Who uploaded how much is asked at once only where it costs the server nothing.
  loader: ({ context: { queryClient, server }, deps }) =>
    ahead(async () => {
      const [{ pageQuery }, { mediaStatistics }] = await Promise.all([
        import('./api/paging.ts'),
        import('./api/media-statistics.ts'),
      ]);
      if (!countsAsItGoes(await queryClient.fetchQuery(serverSoftwareQuery(server)))) return;
      await queryClient.prefetchQuery(pageQuery(mediaStatistics(server, totalsFilterOf(deps)), 0));
    }),
  component: screen(() => import('./features/media/MediaScreen.tsx'), 'MediaScreen'),
});

const userMediaRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/users/$userId',
  validateSearch: readUploadsSearch,
  component: screen(() => import('./features/media/UserMediaScreen.tsx'), 'UserMediaScreen'),
});

const roomMediaRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/rooms/$roomId',
  validateSearch: readRoomMediaSearch,
  component: screen(() => import('./features/media/RoomMediaScreen.tsx'), 'RoomMediaScreen'),
});

const mediumRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/uploads/$origin/$mediaId',
  component: screen(() => import('./features/media/MediumScreen.tsx'), 'MediumScreen'),
});

const cleanUpRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/clean-up',
  validateSearch: readCleanUpSearch,
  component: screen(() => import('./features/media/CleanUpScreen.tsx'), 'CleanUpScreen'),
});

const tokensRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tokens',
  validateSearch: readTokenSearch,
  component: screen(() => import('./features/tokens/entry.ts'), 'TokensScreen'),
});

const statisticsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/statistics',
  validateSearch: readStatisticsSearch,
  component: screen(() => import('./features/reports/statistics/entry.ts'), 'StatisticsScreen'),
});

const userReportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/users',
  validateSearch: readFiledReportSearch,
  component: screen(filedReports, 'UserReportsScreen'),
});

// The list stays where it is while one report after the other is open beside it.
const userReportRoute = createRoute({ getParentRoute: () => userReportsRoute, path: '$reportId' });

const roomReportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/rooms',
  validateSearch: readFiledReportSearch,
  component: screen(filedReports, 'RoomReportsScreen'),
});

const roomReportRoute = createRoute({ getParentRoute: () => roomReportsRoute, path: '$reportId' });

const tasksRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tasks',
  validateSearch: readTaskSearch,
  // The rest of the address is about what is loaded, and asks for nothing.
  loaderDeps: ({ search }) => taskFilterOf(search),
  loader: ({ context: { queryClient, server }, deps }) =>
    ahead(async () => {
      const { scheduledTasksQuery } = await import('./api/scheduled-tasks.ts');
      await queryClient.prefetchQuery(scheduledTasksQuery(server, deps));
    }),
  component: screen(() => import('./features/tasks/entry.ts'), 'TasksScreen'),
});

const backgroundUpdatesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tasks/background-updates',
  component: screen(() => import('./features/background-updates/entry.ts'), 'BackgroundUpdatesScreen'),
});

const federationRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/federation',
  validateSearch: readDestinationSearch,
  component: screen(() => import('./features/federation/entry.ts'), 'FederationScreen'),
});

const destinationRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/federation/$destination',
  component: screen(() => import('./features/federation/destination-entry.ts'), 'DestinationScreen'),
});

const upgradeRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/upgrade',
  validateSearch: readUpgradeSearch,
  loader: ({ context: { queryClient, server } }) =>
    void queryClient.prefetchQuery(serverVersionQuery(server)),
  component: screen(() => import('./features/upgrade/entry.ts'), 'UpgradeScreen'),
});

const localServer = {
  getParentRoute: () => frameRoute,
  component: screen(() => import('./features/local-server/entry.ts'), 'LocalServerScreen'),
};
const localServerRoute = createRoute({ ...localServer, path: '/local-server' });
const localServerPartRoute = createRoute({ ...localServer, path: '/local-server/$part' });

const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: screen(() => import('./features/settings/SettingsScreen.tsx'), 'SettingsScreen'),
});

const routeTree = rootRoute.addChildren([
  entranceRoute,
  connectRoute,
  frameRoute.addChildren([
    settingsRoute,
    localServerRoute,
    localServerPartRoute,
    serverRoute.addChildren([
      homeRoute,
      reportsRoute,
      statisticsRoute,
      userReportsRoute.addChildren([userReportRoute]),
      roomReportsRoute.addChildren([roomReportRoute]),
      tasksRoute,
      backgroundUpdatesRoute,
      federationRoute,
      destinationRoute,
      upgradeRoute,
      usersRoute,
      userRoute,
      roomsRoute,
      roomRoute,
      mediaRoute,
      userMediaRoute,
      roomMediaRoute,
      mediumRoute,
      cleanUpRoute,
      tokensRoute,
    ]),
  ]),
]);

export const consoleRouter = (context: ConsoleContext) =>
  createRouter({
    routeTree,
    context,
    basepath: '/console',
    parseSearch: parseSearchWith(readValue),
    defaultErrorComponent: ScreenFailure,
    defaultNotFoundComponent: NoSuchScreen,
    defaultStructuralSharing: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof consoleRouter>;
  }
}
