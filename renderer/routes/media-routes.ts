/** What was uploaded. */
import { createRoute } from '@tanstack/react-router';
import { mediaStatistics } from '../api/media-statistics.ts';
import { pageQuery } from '../api/paging.ts';
import { countsAsItGoes, serverSoftwareQuery } from '../api/server-software.ts';
import {
  readCleanUpSearch,
  readRoomMediaSearch,
  readTotalsSearch,
  readUploadsSearch,
  totalsFilterOf,
} from '../features/media/media-search.ts';
import { serverRoute } from './frame-routes.tsx';
import { screen } from './screen.ts';

export const mediaRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media',
  validateSearch: readTotalsSearch,
  loaderDeps: ({ search }) => search,
  // Who uploaded how much is asked at once only where it costs the server nothing.
  loader: ({ context: { queryClient, server }, deps }) =>
    void queryClient.fetchQuery(serverSoftwareQuery(server)).then(
      (software) => {
        if (!countsAsItGoes(software)) return;
        void queryClient.prefetchQuery(pageQuery(mediaStatistics(server, totalsFilterOf(deps)), 0));
      },
      () => {},
    ),
  component: screen(() => import('../features/media/MediaScreen.tsx'), 'MediaScreen'),
});

export const userMediaRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/users/$userId',
  validateSearch: readUploadsSearch,
  component: screen(() => import('../features/media/UserMediaScreen.tsx'), 'UserMediaScreen'),
});

export const roomMediaRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/rooms/$roomId',
  validateSearch: readRoomMediaSearch,
  component: screen(() => import('../features/media/RoomMediaScreen.tsx'), 'RoomMediaScreen'),
});

export const mediumRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/uploads/$origin/$mediaId',
  component: screen(() => import('../features/media/MediumScreen.tsx'), 'MediumScreen'),
});

export const cleanUpRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/media/clean-up',
  validateSearch: readCleanUpSearch,
  component: screen(() => import('../features/media/CleanUpScreen.tsx'), 'CleanUpScreen'),
});
