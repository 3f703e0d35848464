import { type Static, Type } from 'typebox';
import { Connection } from './connection.ts';

/** Data to refresh and revoke an OAuth 2.0 session. */
export const OAuthSession = Type.Object({
  clientId: Type.String(),
  tokenEndpoint: Type.String(),
  revocationEndpoint: Type.Optional(Type.String()),
  refreshToken: Type.Optional(Type.String()),
  expiresAt: Type.Optional(Type.Number({ description: 'Milliseconds since the Unix epoch' })),
});
export type OAuthSession = Static<typeof OAuthSession>;

/** A connected server with its access token. */
export const Session = Type.Object({
  connection: Connection,
  accessToken: Type.String(),
  /** If the server delegates authentication. */
  oauth: Type.Optional(OAuthSession),
});
export type Session = Static<typeof Session>;
