/** The users and the rooms of a server. */
import { createRoute } from '@tanstack/react-router';
import { pageQuery } from '../api/paging.ts';
import { roomQuery } from '../api/room.ts';
import { roomList } from '../api/room-list.ts';
import { userQuery } from '../api/user.ts';
import { userList } from '../api/user-list.ts';
import { readRoomPageSearch } from '../features/rooms/room-page-search.ts';
import { readRoomSearch, filterOf as roomFilterOf } from '../features/rooms/room-search.ts';
import { readLookAlikeSearch } from '../features/users/look-alikes/look-alike-search.ts';
import { readUserPageSearch } from '../features/users/user-page-search.ts';
import { readUserSearch, filterOf as userFilterOf } from '../features/users/user-search.ts';
import { serverRoute } from './frame-routes.tsx';
import { screen } from './screen.ts';

export const usersRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users',
  validateSearch: readUserSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, server }, deps }) =>
    void queryClient.prefetchQuery(pageQuery(userList(server, userFilterOf(deps)), 0)),
  component: screen(() => import('../features/users/UsersScreen.tsx'), 'UsersScreen'),
});

export const userRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users/$userId',
  validateSearch: readUserPageSearch,
  loader: ({ context: { queryClient, server }, params }) =>
    void queryClient.prefetchQuery(userQuery(server, params.userId)),
  component: screen(() => import('../features/users/UserScreen.tsx'), 'UserScreen'),
});

export const lookAlikesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/users/look-alikes',
  validateSearch: readLookAlikeSearch,
  component: screen(() => import('../features/users/look-alikes/LookAlikesScreen.tsx'), 'LookAlikesScreen'),
});

export const roomsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/rooms',
  validateSearch: readRoomSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, server }, deps }) =>
    void queryClient.prefetchQuery(pageQuery(roomList(server, roomFilterOf(deps)), 0)),
  component: screen(() => import('../features/rooms/RoomsScreen.tsx'), 'RoomsScreen'),
});

export const roomRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/rooms/$roomId',
  validateSearch: readRoomPageSearch,
  loader: ({ context: { queryClient, server }, params }) =>
    void queryClient.prefetchQuery(roomQuery(server, params.roomId)),
  component: screen(() => import('../features/rooms/RoomScreen.tsx'), 'RoomScreen'),
});
