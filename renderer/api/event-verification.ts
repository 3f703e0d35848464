import { queryOptions } from '@tanstack/react-query';
import type { JsonObject } from '../../shared/api/common.ts';
import { ServerKeys } from '../../shared/api/server.ts';
import {
  checkContentHash,
  checkSignature,
  type HashCheck,
  type SignatureCheck,
} from '../../shared/event-verification.ts';
import type { Server } from '../transport/server.ts';

export type EventVerification = { hash: HashCheck; signature: SignatureCheck };

/** Returns the connected server's current and old signing keys. */
const serverKeysQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'server-keys'],
    queryFn: async ({ signal }) => {
      const keys = await server.getChat(ServerKeys, '/key/v2/server', { signal });
      const old = Object.entries(keys.old_verify_keys).map(([id, entry]) => [id, keyOf(entry)] as const);
      const current = Object.entries(keys.verify_keys).map(([id, entry]) => [id, entry.key] as const);
      return {
        server: keys.server_name,
        keys: Object.fromEntries([...old, ...current].filter(([, key]) => key !== undefined)) as Record<
          string,
          string
        >,
      };
    },
    staleTime: 60 * 60_000,
  });

/** Checks a reported event's content hash and signature. */
export const eventVerificationQuery = (server: Server, reportId: number, event: JsonObject) =>
  queryOptions({
    queryKey: [server.id, 'event-verification', reportId],
    queryFn: async ({ client }): Promise<EventVerification> => {
      // Missing outside a secure context.
      const subtle: SubtleCrypto | undefined = crypto.subtle;
      if (!subtle) {
        const why = /*i18n*/ "this page doesn't use a secure connection";
        return { hash: { result: 'impossible', why }, signature: { result: 'impossible', why } };
      }
      const serverKeys = await client.ensureQueryData(serverKeysQuery(server));
      return {
        hash: await checkContentHash(subtle, event),
        signature: await checkSignature(subtle, event, serverKeys),
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

function keyOf(entry: unknown): string | undefined {
  const { key } = (entry ?? {}) as { key?: unknown };
  return typeof key === 'string' ? key : undefined;
}
