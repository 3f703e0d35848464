import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../api/user.ts';
import { userRoomsQuery } from '../api/user-rooms.ts';
import { useServer } from '../console-context.ts';
import { untilAskedAgain } from '../query-client.ts';

const soonestMs = 2_000;
const seldomMs = 15_000;

/** The rooms that somebody is in. Who was deactivated leaves theirs after that: they are counted until none is left. */
export function useUserRooms(userId: string) {
  const server = useServer();
  const { data: user } = useQuery(userQuery(server, userId));
  return useQuery({
    ...userRoomsQuery(server, userId),
    refetchInterval: (query) =>
      user?.deactivated && query.state.data?.total
        ? Math.min(soonestMs + query.state.dataUpdateCount * 500, seldomMs)
        : untilAskedAgain(query),
  });
}
