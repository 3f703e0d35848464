import { queryOptions } from '@tanstack/react-query';
import { ServerKeys } from '../../shared/api/server.ts';
import type { Server } from '../transport/server.ts';

/** The keys that the server shows to others, and until when it vouches for them, in milliseconds. */
export const signingKeysQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'signing-keys'],
    queryFn: async ({ signal }) => {
      const keys = await server.getChat(ServerKeys, '/key/v2/server', { signal });
      return {
        ids: Object.keys(keys.verify_keys),
        retired: Object.keys(keys.old_verify_keys).length,
        validUntil: keys.valid_until_ts,
      };
    },
    staleTime: 5 * 60_000,
  });
