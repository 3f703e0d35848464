import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';

const metadataPath = '/client/v1/auth_metadata';
/** Synapse's before Matrix 1.15 (MSC2965), which names the service alone. */
const issuerPath = '/client/unstable/org.matrix.msc2965/auth_issuer';

const AuthMetadata = Type.Object({
  issuer: Type.String(),
  account_management_uri: Type.Optional(Type.String()),
});

export const delegatesAccounts = async (server: Server): Promise<boolean> =>
  server.mas !== undefined ||
  (await server.has('chat', metadataPath)) ||
  (await server.has('chat', issuerPath));

/** The authentication service that a server delegates its accounts to. */
export const authServiceQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'auth-service'],
    queryFn: ({ signal }) =>
      server.getChat(AuthMetadata, metadataPath, { signal }).catch((error) => {
        if (error instanceof NoSuchEndpoint) return server.getChat(AuthMetadata, issuerPath, { signal });
        throw error;
      }),
    staleTime: 60 * 60_000,
  });
