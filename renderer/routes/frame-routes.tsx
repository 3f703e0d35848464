/** What is around the screens: the console, its frame, and the server that a screen is about. */
import {
  createRootRouteWithContext,
  createRoute,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { Type } from 'typebox';
import { connectionsQuery } from '../api/connections.ts';
import { rememberedServer, rememberServer } from '../components/remembered-server.ts';
import { Console, type ConsoleContext } from '../console-context.ts';
import { entrance } from '../entrance.ts';
import { ConsoleFrame } from '../features/frame/ConsoleFrame.tsx';
import { NoSuchPage } from '../features/frame/ScreenFailure.tsx';
import { searchOf } from '../search.ts';
import { screen } from './screen.ts';

export const rootRoute = createRootRouteWithContext<ConsoleContext>()({
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

export const connectRoute = createRoute({
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
  component: screen(() => import('../features/connect/ConnectScreen.tsx'), 'ConnectScreen'),
});

/** The rail and the header around every screen; there may be no server. */
export const frameRoute = createRoute({
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
export const serverRoute = createRoute({
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
export const entranceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: ({ search }) => {
    throw redirect({ to: entrance().read() === 'reports' ? '/reports' : '/home', search, replace: true });
  },
});
