import { queryOptions } from '@tanstack/react-query';
import { FederationVersion } from '../../shared/api/server.ts';
import { isRefusal } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';

/** What the server calls itself to other servers; null where it tells nobody here. */
export const serverSoftwareQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'server-software'],
    queryFn: async ({ signal }): Promise<string | null> => {
      try {
        return (await server.getChat(FederationVersion, '/federation/v1/version', { signal })).server.name;
      } catch (error) {
        if (isRefusal(error)) return null;
        throw error;
      }
    },
    staleTime: 60 * 60_000,
  });

/** Whether the software counts users, rooms and media as they change, and reads no whole table for a total. */
export const countsAsItGoes = (software: string | null | undefined) => software === 'Gatehouse';
