import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import type { Server } from '../transport/server.ts';

export const authMetadataPath = '/client/v1/auth_metadata';

const AuthMetadata = Type.Object({
  issuer: Type.String(),
  account_management_uri: Type.Optional(Type.String()),
});

/** The authentication service that a server delegates its accounts to. */
export const authServiceQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'auth-service'],
    queryFn: ({ signal }) => server.getChat(AuthMetadata, authMetadataPath, { signal }),
    staleTime: 60 * 60_000,
  });
