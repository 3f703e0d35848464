/** User-interactive authentication. Matrix specification, client-server API, section of that name. */
import { type Static, Type } from 'typebox';
import { UserIdentifier } from './login.ts';

/** What a request says of its authentication: which stage it passes, and with what. */
export const InteractiveAuth = Type.Object(
  {
    type: Type.Optional(Type.String()),
    session: Type.Optional(Type.String()),
    /** For `m.login.password`. */
    identifier: Type.Optional(UserIdentifier),
    user: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    /** For `m.login.registration_token`. */
    token: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);
export type InteractiveAuth = Static<typeof InteractiveAuth>;
