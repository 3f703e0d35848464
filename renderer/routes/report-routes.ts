/** Reports on events, users and rooms. */
import { createRoute } from '@tanstack/react-router';
import { eventReportQuery } from '../api/event-reports.ts';
import { reportFrameQuery } from '../api/report-frame.ts';
import { enteredBy } from '../entrance.ts';
import { readFiledReportSearch } from '../features/reports/filed/filed-report-search.ts';
import {
  directionOf,
  filterOf,
  readReportSearch,
  readStatisticsSearch,
} from '../features/reports/report-search.ts';
import { serverRoute } from './frame-routes.tsx';
import { screen } from './screen.ts';

const filedReports = () => import('../features/reports/filed/FiledReportsScreen.tsx');

export const reportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports',
  validateSearch: readReportSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, server }, deps }) => {
    void queryClient.prefetchQuery(reportFrameQuery(server, filterOf(deps), directionOf(deps)));
    if (deps.report === undefined) return;
    enteredBy('reports');
    void queryClient.prefetchQuery(eventReportQuery(server, deps.report));
  },
  component: screen(() => import('../features/reports/ReportsScreen.tsx'), 'ReportsScreen'),
});

export const statisticsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/statistics',
  validateSearch: readStatisticsSearch,
  component: screen(() => import('../features/reports/statistics/StatisticsScreen.tsx'), 'StatisticsScreen'),
});

export const userReportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/users',
  validateSearch: readFiledReportSearch,
  component: screen(filedReports, 'UserReportsScreen'),
});

// The list stays where it is while one report after the other is open beside it.
export const userReportRoute = createRoute({ getParentRoute: () => userReportsRoute, path: '$reportId' });

export const roomReportsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reports/rooms',
  validateSearch: readFiledReportSearch,
  component: screen(filedReports, 'RoomReportsScreen'),
});

export const roomReportRoute = createRoute({ getParentRoute: () => roomReportsRoute, path: '$reportId' });
