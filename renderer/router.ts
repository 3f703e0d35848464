import { createRouter, parseSearchWith, type RouterHistory } from '@tanstack/react-router';
import type { ConsoleContext } from './console-context.ts';
import { ScreenFailure, ScreenLoading } from './features/frame/ScreenFailure.tsx';
import {
  backgroundUpdatesRoute,
  basketRoute,
  casesRoute,
  cleanUpRoute,
  connectRoute,
  destinationRoute,
  evidenceRoute,
  federationRoute,
  frameRoute,
  homeRoute,
  importUsersRoute,
  jobRoute,
  localServerPartRoute,
  localServerRoute,
  logRoute,
  lookAlikesRoute,
  mediaRoute,
  mediumRoute,
  noSuchPageRoute,
  policiesRoute,
  policyListRoute,
  policyListsRoute,
  quarantineChangesRoute,
  relatedRoute,
  reportsRoute,
  roomMediaRoute,
  roomReportRoute,
  roomReportsRoute,
  roomRoute,
  roomSizesRoute,
  roomsRoute,
  rootRoute,
  rulesRoute,
  serverRoute,
  settingsRoute,
  startRoute,
  statisticsRoute,
  tasksRoute,
  tokensRoute,
  upgradeRoute,
  userMediaRoute,
  userReportRoute,
  userReportsRoute,
  userRoute,
  usersRoute,
} from './routes.tsx';
import { readValue } from './search.ts';

const routeTree = rootRoute.addChildren([
  startRoute,
  connectRoute,
  frameRoute.addChildren([
    settingsRoute,
    localServerRoute,
    localServerPartRoute,
    noSuchPageRoute,
    serverRoute.addChildren([
      homeRoute,
      reportsRoute,
      casesRoute,
      logRoute,
      policiesRoute,
      evidenceRoute,
      rulesRoute,
      policyListsRoute,
      policyListRoute,
      statisticsRoute,
      userReportsRoute.addChildren([userReportRoute]),
      roomReportsRoute.addChildren([roomReportRoute]),
      tasksRoute,
      backgroundUpdatesRoute,
      federationRoute,
      destinationRoute,
      upgradeRoute,
      basketRoute,
      jobRoute,
      usersRoute,
      lookAlikesRoute,
      relatedRoute,
      importUsersRoute,
      userRoute,
      roomsRoute,
      roomSizesRoute,
      roomRoute,
      mediaRoute,
      userMediaRoute,
      roomMediaRoute,
      mediumRoute,
      cleanUpRoute,
      quarantineChangesRoute,
      tokensRoute,
    ]),
  ]),
]);

type Router = ReturnType<typeof consoleRouter>;

export const consoleRouter = (context: ConsoleContext, history?: RouterHistory) =>
  createRouter({
    routeTree,
    context,
    ...(history && { history }),
    basepath: '/console',
    parseSearch: parseSearchWith(readValue),
    defaultPendingComponent: ScreenLoading,
    defaultErrorComponent: ScreenFailure,
    defaultStructuralSharing: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: Router;
  }
}

/** Loads the script of the screen in the address while the page starts. */
export function preloadScreen(router: Router) {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of routes) void router.loadRouteChunk(route);
}

/** Leaves the server to the first screen for a while. */
const preloadDelayMs = 2_000;

/**
 * Loads the scripts of the other screens once the page is idle: the server may be away when they are opened. Browsers
 * that save data load each when it is opened.
 */
export function preloadOtherScreens(router: Router) {
  if (navigator.connection?.saveData) return;
  const load = async () => {
    for (const route of Object.values(router.routesById)) await router.loadRouteChunk(route);
    await Promise.allSettled([
      import('./components/json/JsonTree.tsx'),
      import('./features/reports/detail/ReportContent.tsx'),
      import('./features/reports/subjects/SubjectList.tsx'),
    ]);
  };
  // Safari has no requestIdleCallback.
  setTimeout(() => ('requestIdleCallback' in window ? requestIdleCallback(load) : load()), preloadDelayMs);
}
