import type { QueryClient } from '@tanstack/react-query';
import { userList } from '../../api/user-list.ts';
import { prefetchFirstRows } from '../../components/table/paged-rows.ts';
import type { Server } from '../../transport/server.ts';
import { filterOf, type UserSearch } from './user-search.ts';

/** Asks for what the screen shows at first. */
export const prefetchUsers = (queryClient: QueryClient, server: Server, address: UserSearch) =>
  prefetchFirstRows(queryClient, userList(server, filterOf(address)));
