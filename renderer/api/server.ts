import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { EmptyObject } from '../../shared/api/common.ts';
import { FederationVersion, ServerKeys, ServerVersion } from '../../shared/api/server.ts';
import { isRefusal } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';

/** Asked again and again while the console is open: the header's state dot lives on it. */
export const serverVersionQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'server-version'],
    queryFn: ({ signal }) => server.get(ServerVersion, '/v1/server_version', { signal }),
    refetchInterval: 20_000,
    retry: false,
  });

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

// Messages from the server itself. The reference homeserver's "Server Notices" API.

const Notice = Type.Object({
  user_id: Type.String(),
  content: Type.Object({ msgtype: Type.Literal('m.text'), body: Type.String() }),
});

const noticeTo = (userId: string, text: string) => ({
  body: body(Notice, { user_id: userId, content: { msgtype: 'm.text', body: text } }),
});

/** @param transaction names the request: sent twice, it is done once */
export const sendServerNotice = (server: Server, userId: string, text: string, transaction: string) =>
  server.send('PUT', EmptyObject, `/v1/send_server_notice/${transaction}`, noticeTo(userId, text));
