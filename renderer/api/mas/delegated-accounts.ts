import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { isRefusal, NoSuchEndpoint } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';

const metadataPath = '/client/v1/auth_metadata';
/** Synapse's endpoint before Matrix 1.15 (MSC2965), which returns the issuer alone. */
const issuerPath = '/client/unstable/org.matrix.msc2965/auth_issuer';

const AuthMetadata = Type.Object({
  issuer: Type.String(),
  account_management_uri: Type.Optional(Type.String()),
});

export const delegatesAccounts = async (server: Server): Promise<boolean> =>
  server.mas !== undefined ||
  (await isAvailable(server, metadataPath)) ||
  (await isAvailable(server, issuerPath));

/**
 * Homeservers answer here without authentication, so a refusal comes from a proxy and doesn't mean that the session
 * ended.
 */
const isAvailable = (server: Server, path: string): Promise<boolean> =>
  server.getChat(AuthMetadata, path, { patient: true }).then(
    () => true,
    (error) => {
      if (isRefusal(error) || error.code === 'bad_credentials' || error.code === 'unexpected_reply')
        return false;
      throw error;
    },
  );

/** Returns the authentication service that the server delegates accounts to. */
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
