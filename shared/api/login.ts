import { type Static, Type } from 'typebox';
import { EmptyObject, failures } from './common.ts';

/** The user of a password login. Clients send this or `user`. */
const UserIdentifier = Type.Object(
  { type: Type.String(), user: Type.Optional(Type.String()) },
  { additionalProperties: true },
);

/** The request of every login type, which determines if `token`, `password` or `identifier` is required. */
export const LoginRequest = Type.Object(
  {
    type: Type.String(),
    token: Type.Optional(Type.String()),
    identifier: Type.Optional(UserIdentifier),
    user: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    device_id: Type.Optional(Type.String()),
    initial_device_display_name: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.Boolean({ description: 'The client supports refresh tokens' })),
  },
  { additionalProperties: true },
);
export type LoginRequest = Static<typeof LoginRequest>;

export const LoginResponse = Type.Object({
  access_token: Type.String(),
  device_id: Type.String(),
  home_server: Type.String(),
  user_id: Type.String(),
  refresh_token: Type.Optional(Type.String()),
  expires_in_ms: Type.Optional(Type.Integer()),
});
export type LoginResponse = Static<typeof LoginResponse>;

export const LoginFlows = Type.Object({
  flows: Type.Array(Type.Object({ type: Type.String() }, { additionalProperties: true })),
});
export type LoginFlows = Static<typeof LoginFlows>;

/** `GET …/v3/login`. */
export const getLoginFlows = { response: { 200: LoginFlows } };

/** `POST …/v3/login`. */
export const postLogin = { body: LoginRequest, response: { 200: LoginResponse, ...failures } };

const RefreshResponse = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  expires_in_ms: Type.Integer(),
});
export const postRefresh = {
  body: Type.Object({ refresh_token: Type.String() }, { additionalProperties: true }),
  response: { 200: RefreshResponse, ...failures },
};

export const postLogout = { response: { 200: EmptyObject, ...failures } };

/** User-interactive authentication. Matrix specification, client-server API, section of that name. */

/** A stage of interactive authentication, with its parameters. */
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
