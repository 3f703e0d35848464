/** The console's routes. Each screen has its own script. */
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { Type } from 'typebox';
import { mediaStatistics } from './api/media.ts';
import { pageQuery } from './api/paging.ts';
import { eventReportQuery, eventReports } from './api/reports/event-reports.ts';
import { reportFrameQuery } from './api/reports/report-frame.ts';
import { roomQuery } from './api/room.ts';
import { roomList } from './api/room-list.ts';
import { scheduledTasksQuery } from './api/scheduled-tasks.ts';
import { keepsRunningTotals, serverSoftwareQuery, serverVersionQuery } from './api/server.ts';
import { connectionsQuery } from './api/shell.ts';
import { userQuery } from './api/user.ts';
import { userList } from './api/user-list.ts';
import { lastConnectionId, rememberAccount } from './components/saved-accounts.ts';
import { Console, type ConsoleContext } from './console-context.ts';
import { readDestinationSearch } from './features/federation/destinations.ts';
import { ConsoleFrame } from './features/frame/ConsoleFrame.tsx';
import { NoSuchPage } from './features/frame/ScreenFailure.tsx';
import {
  readCleanUpSearch,
  readQuarantineSearch,
  readRoomMediaSearch,
  readTotalsSearch,
  readUploadsSearch,
  totalsFilterOf,
} from './features/media/media-search.ts';
import { readPolicyListSearch, readPolicyListsSearch } from './features/policy-lists/policy-list-search.ts';
import { readCaseSearch } from './features/reports/cases/case-search.ts';
import { readFiledReportSearch } from './features/reports/filed/filed-report-search.ts';
import { readLogSearch } from './features/reports/log/log-search.ts';
import {
  directionOf,
  filterOf,
  readReportSearch,
  readRulesSearch,
  readStatisticsSearch,
} from './features/reports/report-search.ts';
import {
  readRoomPageSearch,
  readRoomSearch,
  filterOf as roomFilterOf,
} from './features/rooms/room-search.ts';
import { readTaskSearch, filterOf as taskFilterOf } from './features/tasks/task-search.ts';
import { readTokenSearch } from './features/tokens/token-search.ts';
import { readUpgradeSearch } from './features/upgrade/upgrade-search.ts';
import {
  readLookAlikeSearch,
  readRelatedSearch,
  readUserPageSearch,
  readUserSearch,
  filterOf as userFilterOf,
} from './features/users/user-search.ts';
import { searchOf } from './search.ts';
import { setStartScreen, startScreen } from './start-screen.ts';

/**
 * Loads a screen's script lazily. Wraps the error of a failed import so that `ScreenFailure` is shown: the router would
 * reload the page, which fails too if the server is away.
 */
const screen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error: Error) => {
        throw new Error(`Missing: ${error.message}`);
      }),
    name,
  );

// Layout routes

export const rootRoute = createRootRouteWithContext<ConsoleContext>()({
  validateSearch: searchOf(Type.Object({ server: Type.Optional(Type.String()) })),
  // All links keep the server.
  search: { middlewares: [retainSearchParams(['server'])] },
  component: function Root() {
    return (
      <Console value={rootRoute.useRouteContext()}>
        <Outlet />
      </Console>
    );
  },
});

export const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connect',
  validateSearch: searchOf(
    Type.Object({
      /** The address to return to. */
      next: Type.Optional(Type.String({ pattern: '^/(?!/)' })),
      /** ID of the connection whose session ended; only that account can sign in. */
      again: Type.Optional(Type.String()),
    }),
  ),
  component: screen(() => import('./features/connect/ConnectScreen.tsx'), 'ConnectScreen'),
});

/** The rail and the header around every screen, even without a server. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: async ({ context, search }) => {
    const connections = await context.queryClient.ensureQueryData(connectionsQuery(context.host));
    const connectionId = search.server ?? lastConnectionId(context.deviceStorage).read();
    const connection =
      connections.find(({ id }) => id === connectionId) ?? (search.server ? undefined : connections[0]);
    if (connection) rememberAccount(context.deviceStorage, connection);
    return { server: connection && context.servers.of(connection) };
  },
  component: function Frame() {
    const { server } = frameRoute.useRouteContext();
    return <ConsoleFrame key={server?.id} server={server} />;
  },
});

/** Screens that need a connected server; redirects to the sign-in screen without one. */
export const serverRoute = createRoute({
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

/** Redirects to the start screen. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: ({ context, search }) => {
    throw redirect({
      to: startScreen(context.deviceStorage).read() === 'reports' ? '/reports' : '/home',
      search,
      replace: true,
    });
  },
});

// Screens without a server

const localServer = {
  getParentRoute: () => frameRoute,
  component: screen(() => import('./features/local-server/LocalServerScreen.tsx'), 'LocalServerScreen'),
};
export const localServerRoute = createRoute({ ...localServer, path: '/local-server' });
export const localServerPartRoute = createRoute({ ...localServer, path: '/local-server/$part' });

export const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: screen(() => import('./features/settings/SettingsScreen.tsx'), 'SettingsScreen'),
});

/** Matches every other address. */
export const noSuchPageRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '$',
  component: NoSuchPage,
});

// Media

export const mediaRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media',
  validateSearch: readTotalsSearch,
  loaderDeps: ({ search }) => search,
  // Prefetches only if the server keeps statistics; otherwise they're expensive.
  loader: ({ context: { queryClient, server }, deps }) =>
    void queryClient.fetchQuery(serverSoftwareQuery(server)).then(
      (software) => {
        if (!keepsRunningTotals(software)) return;
        void queryClient.prefetchQuery(pageQuery(mediaStatistics(server, totalsFilterOf(deps)), 0));
      },
      () => {},
    ),
  component: screen(() => import('./features/media/MediaScreen.tsx'), 'MediaScreen'),
});

export const userMediaRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/users/$userId',
  validateSearch: readUploadsSearch,
  component: screen(() => import('./features/media/UserMediaScreen.tsx'), 'UserMediaScreen'),
});

export const roomMediaRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/rooms/$roomId',
  validateSearch: readRoomMediaSearch,
  component: screen(() => import('./features/media/RoomMediaScreen.tsx'), 'RoomMediaScreen'),
});

export const mediumRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/uploads/$origin/$mediaId',
  component: screen(() => import('./features/media/MediumScreen.tsx'), 'MediumScreen'),
});

export const cleanUpRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/clean-up',
  validateSearch: readCleanUpSearch,
  component: screen(() => import('./features/media/CleanUpScreen.tsx'), 'CleanUpScreen'),
});

export const quarantineChangesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/quarantine-changes',
  validateSearch: readQuarantineSearch,
  component: screen(() => import('./features/media/QuarantineChangesScreen.tsx'), 'QuarantineChangesScreen'),
});

// Server

export const homeRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/home',
  loader: ({ context }) => setStartScreen(context.deviceStorage, 'home'),
  component: screen(() => import('./features/home/HomeScreen.tsx'), 'HomeScreen'),
});

export const tasksRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tasks',
  validateSearch: readTaskSearch,
  // The other search parameters only filter loaded data.
  loaderDeps: ({ search }) => taskFilterOf(search),
  loader: ({ context: { queryClient, server }, deps }) =>
    void queryClient.prefetchQuery(scheduledTasksQuery(server, deps)),
  component: screen(() => import('./features/tasks/TasksScreen.tsx'), 'TasksScreen'),
});

export const backgroundUpdatesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tasks/background-updates',
  component: screen(
    () => import('./features/background-updates/BackgroundUpdatesScreen.tsx'),
    'BackgroundUpdatesScreen',
  ),
});

export const federationRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/federation',
  validateSearch: readDestinationSearch,
  component: screen(() => import('./features/federation/FederationScreen.tsx'), 'FederationScreen'),
});

export const destinationRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/federation/$destination',
  component: screen(() => import('./features/federation/DestinationScreen.tsx'), 'DestinationScreen'),
});

export const upgradeRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/upgrade',
  validateSearch: readUpgradeSearch,
  loader: ({ context: { queryClient, server } }) =>
    void queryClient.prefetchQuery(serverVersionQuery(server)),
  component: screen(() => import('./features/upgrade/UpgradeScreen.tsx'), 'UpgradeScreen'),
});

export const tokensRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tokens',
  validateSearch: readTokenSearch,
  component: screen(() => import('./features/tokens/TokensScreen.tsx'), 'TokensScreen'),
});

// Reports

const filedReports = () => import('./features/reports/filed/FiledReportsScreen.tsx');

export const reportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports',
  validateSearch: readReportSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { deviceStorage, queryClient, server }, deps }) => {
    void queryClient.prefetchQuery(reportFrameQuery(eventReports(server, filterOf(deps)), directionOf(deps)));
    if (deps.report === undefined) return;
    setStartScreen(deviceStorage, 'reports');
    void queryClient.prefetchQuery(eventReportQuery(server, deps.report));
  },
  component: screen(() => import('./features/reports/ReportsScreen.tsx'), 'ReportsScreen'),
});

export const statisticsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/statistics',
  validateSearch: readStatisticsSearch,
  component: screen(() => import('./features/reports/statistics/StatisticsScreen.tsx'), 'StatisticsScreen'),
});

export const logRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/log',
  validateSearch: readLogSearch,
  component: screen(() => import('./features/reports/log/LogScreen.tsx'), 'LogScreen'),
});

export const policiesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/policies',
  component: screen(() => import('./features/reports/policies/PoliciesScreen.tsx'), 'PoliciesScreen'),
});

export const rulesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/rules',
  validateSearch: readRulesSearch,
  component: screen(() => import('./features/reports/rules/RulesScreen.tsx'), 'RulesScreen'),
});

export const evidenceRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/evidence',
  component: screen(() => import('./features/reports/evidence/EvidenceScreen.tsx'), 'EvidenceScreen'),
});

export const policyListsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/lists',
  validateSearch: readPolicyListsSearch,
  component: screen(() => import('./features/policy-lists/PolicyListsScreen.tsx'), 'PolicyListsScreen'),
});

export const policyListRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/lists/$listId',
  validateSearch: readPolicyListSearch,
  component: screen(() => import('./features/policy-lists/PolicyListScreen.tsx'), 'PolicyListScreen'),
});

export const casesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/cases',
  validateSearch: readCaseSearch,
  component: screen(() => import('./features/reports/cases/CasesScreen.tsx'), 'CasesScreen'),
});

export const userReportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/users',
  validateSearch: readFiledReportSearch,
  component: screen(filedReports, 'UserReportsScreen'),
});

// A child route, so that the list stays mounted while reports are opened beside it.
export const userReportRoute = createRoute({ getParentRoute: () => userReportsRoute, path: '$reportId' });

export const roomReportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/rooms',
  validateSearch: readFiledReportSearch,
  component: screen(filedReports, 'RoomReportsScreen'),
});

export const roomReportRoute = createRoute({ getParentRoute: () => roomReportsRoute, path: '$reportId' });

export const jobRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/jobs/$jobId',
  component: screen(() => import('./features/jobs/JobScreen.tsx'), 'JobScreen'),
});

// Users and rooms

export const basketRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/basket',
  validateSearch: searchOf(Type.Object({ kind: Type.Optional(Type.Enum(['user', 'room', 'media'])) })),
  component: screen(() => import('./features/basket/BasketScreen.tsx'), 'BasketScreen'),
});

export const usersRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users',
  validateSearch: readUserSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, server }, deps }) =>
    void queryClient.prefetchQuery(pageQuery(userList(server, userFilterOf(deps)), 0)),
  component: screen(() => import('./features/users/UsersScreen.tsx'), 'UsersScreen'),
});

export const roomSizesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/rooms/by-size',
  component: screen(() => import('./features/rooms/RoomSizesScreen.tsx'), 'RoomSizesScreen'),
});

export const userRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users/$userId',
  validateSearch: readUserPageSearch,
  loader: ({ context: { queryClient, server }, params }) =>
    void queryClient.prefetchQuery(userQuery(server, params.userId)),
  component: screen(() => import('./features/users/UserScreen.tsx'), 'UserScreen'),
});

export const lookAlikesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users/look-alikes',
  validateSearch: readLookAlikeSearch,
  component: screen(() => import('./features/users/look-alikes/LookAlikesScreen.tsx'), 'LookAlikesScreen'),
});

export const relatedRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users/related',
  validateSearch: readRelatedSearch,
  component: screen(
    () => import('./features/users/related/RelatedAccountsScreen.tsx'),
    'RelatedAccountsScreen',
  ),
});

export const importUsersRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users/import',
  component: screen(() => import('./features/users/import/ImportScreen.tsx'), 'ImportScreen'),
});

export const roomsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/rooms',
  validateSearch: readRoomSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, server }, deps }) =>
    void queryClient.prefetchQuery(pageQuery(roomList(server, roomFilterOf(deps)), 0)),
  component: screen(() => import('./features/rooms/RoomsScreen.tsx'), 'RoomsScreen'),
});

export const roomRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/rooms/$roomId',
  validateSearch: readRoomPageSearch,
  loader: ({ context: { queryClient, server }, params }) =>
    void queryClient.prefetchQuery(roomQuery(server, params.roomId)),
  component: screen(() => import('./features/rooms/RoomScreen.tsx'), 'RoomScreen'),
});
