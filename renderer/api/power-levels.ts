/** Reads and writes power levels of a room. Matrix specification, "m.room.power_levels". */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { isMuted, Levels, levelsPath, levelsRequest } from '../../shared/team/power-levels.ts';
import { isRefusal } from '../transport/refusal.ts';
import { type Server, sendRequest } from '../transport/server.ts';

export const getLevels = (server: Server, roomId: string, signal?: AbortSignal): Promise<Levels> =>
  server.getChat(Levels, levelsPath(roomId), { signal });

const EventId = Type.Object({ event_id: Type.String() });

export const putLevels = (server: Server, roomId: string, levels: Levels) =>
  sendRequest(server, EventId, levelsRequest(roomId, levels));

/** Returns whether a user is muted in a room; null if the signed-in admin can't see it. */
export const mutedQuery = (server: Server, { roomId, userId }: { roomId: string; userId: string }) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'muted', userId],
    queryFn: async ({ signal }): Promise<boolean | null> => {
      try {
        return isMuted(await getLevels(server, roomId, signal), userId);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return null;
      }
    },
    staleTime: 30_000,
  });
