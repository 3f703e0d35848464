import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Nullable, Timestamp } from './common.ts';
import { InteractiveAuth, LoginResponse } from './login.ts';

export const RegisterRequest = Type.Object(
  {
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    device_id: Type.Optional(Type.String()),
    initial_device_display_name: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.Boolean()),
    inhibit_login: Type.Optional(Type.Boolean()),
    auth: Type.Optional(InteractiveAuth),
    type: Type.Optional(
      Type.String({ description: '`m.login.application_service` for application services' }),
    ),
    guest_access_token: Type.Optional(
      Type.String({ description: 'Access token of the guest account to upgrade' }),
    ),
    user: Type.Optional(Type.Unknown({ description: 'Former name of `username`; no longer supported' })),
  },
  { additionalProperties: true },
);
export type RegisterRequest = Static<typeof RegisterRequest>;

/** Like the response of a login; only the user ID if `inhibit_login` is true. */
export const RegisterResponse = Type.Object({
  user_id: Type.String(),
  home_server: Type.String(),
  access_token: Type.Optional(Type.String()),
  device_id: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
  expires_in_ms: Type.Optional(Type.Integer()),
});
export type RegisterResponse = Static<typeof RegisterResponse>;

/** `POST …/v3/register`. */
export const postRegister = {
  querystring: Type.Object({
    kind: Type.Optional(Type.String()),
    access_token: Type.Optional(Type.String({ description: 'Token of an application service, if allowed' })),
  }),
  body: RegisterRequest,
  response: { 200: RegisterResponse, ...failures },
};

export const getUsernameAvailable = {
  querystring: Type.Object({ username: Type.String() }),
  response: { 200: Type.Object({ available: Type.Boolean() }), ...failures },
};

/** `GET …/admin/v1/register`: a nonce for one shared-secret registration. */
export const getRegistrationNonce = { response: { 200: Type.Object({ nonce: Type.String() }), ...failures } };

export const SharedSecretRegistration = Type.Object({
  nonce: Type.String(),
  username: Type.String({ minLength: 1, maxLength: 512 }),
  password: Type.String({ minLength: 1, maxLength: 512 }),
  admin: Type.Optional(Type.Boolean()),
  user_type: Type.Optional(Type.String()),
  displayname: Type.Optional(Type.String({ maxLength: 256 })),
  mac: Type.String({
    description: 'HMAC-SHA1 of nonce, username, password and "admin" or "notadmin", in hex',
  }),
});
export type SharedSecretRegistration = Static<typeof SharedSecretRegistration>;

export const postSharedSecretRegistration = {
  body: SharedSecretRegistration,
  response: { 200: LoginResponse, ...failures },
};

/** Registration tokens. Synapse's "Registration Tokens" API. */

const fields = {
  uses_allowed: Nullable(Type.Integer({ minimum: 0, description: 'Null for unlimited' })),
  expiry_time: Nullable(Timestamp),
};

const RegistrationToken = Type.Object({
  token: Type.String(),
  ...fields,
  pending: Type.Integer({ description: 'Registrations in progress' }),
  completed: Type.Integer(),
});

const params = Type.Object({ token: Type.String() });
const one = { params, response: { 200: RegistrationToken, ...failures } };

export const listRegistrationTokens = {
  querystring: Type.Object({
    valid: Type.Optional(Type.Boolean({ description: 'Only valid or only invalid tokens' })),
  }),
  response: { 200: Type.Object({ registration_tokens: Type.Array(RegistrationToken) }), ...failures },
};
export const getRegistrationToken = one;
export const deleteRegistrationToken = { params, response: { 200: EmptyObject, ...failures } };

const Limits = {
  uses_allowed: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
  expiry_time: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
};

export const NewRegistrationToken = Type.Object(
  {
    token: Type.Optional(Type.String({ description: 'Default: generated' })),
    length: Type.Optional(Type.Integer({ description: 'Length of a generated token; default 16' })),
    ...Limits,
  },
  { additionalProperties: true },
);
export type NewRegistrationToken = Static<typeof NewRegistrationToken>;
export const postRegistrationToken = {
  body: NewRegistrationToken,
  response: { 200: RegistrationToken, ...failures },
};

const RegistrationTokenLimits = Type.Object(Limits, { additionalProperties: true });
export const putRegistrationToken = { ...one, body: RegistrationTokenLimits };

/** `GET …/v1/register/m.login.registration_token/validity`. */
export const getTokenValidity = {
  querystring: Type.Object({ token: Type.String() }),
  response: { 200: Type.Object({ valid: Type.Boolean() }), ...failures },
};
