import { createRouter, parseSearchWith } from '@tanstack/react-router';
import type { ConsoleContext } from './console-context.ts';
import { NoSuchScreen, ScreenFailure } from './features/frame/ScreenFailure.tsx';
import { ScreenOnItsWay } from './features/frame/ScreenOnItsWay.tsx';
import { connectRoute, entranceRoute, frameRoute, rootRoute, serverRoute } from './routes/frame-routes.tsx';
import { localServerPartRoute, localServerRoute, settingsRoute } from './routes/local-routes.ts';
import {
  cleanUpRoute,
  mediaRoute,
  mediumRoute,
  roomMediaRoute,
  userMediaRoute,
} from './routes/media-routes.ts';
import {
  backgroundUpdatesRoute,
  destinationRoute,
  federationRoute,
  homeRoute,
  tasksRoute,
  tokensRoute,
  upgradeRoute,
} from './routes/operation-routes.ts';
import {
  reportsRoute,
  roomReportRoute,
  roomReportsRoute,
  statisticsRoute,
  userReportRoute,
  userReportsRoute,
} from './routes/report-routes.ts';
import { lookAlikesRoute, roomRoute, roomsRoute, userRoute, usersRoute } from './routes/subject-routes.ts';
import { readValue } from './search.ts';

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
      lookAlikesRoute,
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
    defaultPendingComponent: ScreenOnItsWay,
    defaultErrorComponent: ScreenFailure,
    defaultNotFoundComponent: NoSuchScreen,
    defaultStructuralSharing: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof consoleRouter>;
  }
}
