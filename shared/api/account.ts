/** The user's own account. Matrix specification, client-server API, "Account management". */
import { Type } from 'typebox';
import { EmptyObject, failures, JsonObject, Nullable } from './common.ts';
import { InteractiveAuth } from './login.ts';
import { Deactivated } from './users.ts';

const ChangePasswordRequest = Type.Object(
  {
    new_password: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 512,
          description: 'Optional only if `auth` is omitted',
        }),
      ),
    ),
    logout_devices: Type.Boolean({ default: true, description: 'Sign out all other devices' }),
    auth: Type.Optional(InteractiveAuth),
  },
  { additionalProperties: true },
);
export const postPassword = { body: ChangePasswordRequest, response: { 200: EmptyObject, ...failures } };

/** The body is optional: some clients request the stages without one. */
const DeactivateAccountRequest = Type.Object(
  { erase: Type.Boolean({ default: false }), auth: Type.Optional(InteractiveAuth) },
  { additionalProperties: true },
);
export const postDeactivate = {
  body: Type.Optional(DeactivateAccountRequest),
  response: { 200: Deactivated, ...failures },
};

/** The body is optional: some clients request the stages without one. */
const LoginTokenRequest = Type.Object(
  { auth: Type.Optional(InteractiveAuth) },
  { additionalProperties: true },
);
export const postLoginToken = {
  body: Type.Optional(LoginTokenRequest),
  response: {
    200: Type.Object({ login_token: Type.String(), expires_in_ms: Type.Integer() }),
    ...failures,
  },
};

/** Emails and phone numbers (3PIDs). Matrix specification, client-server API, "Adding Account Administrative Contact Information". */

export const getThreepids = {
  response: {
    200: Type.Object({
      threepids: Type.Array(
        Type.Object({
          medium: Type.String(),
          address: Type.String(),
          validated_at: Type.Integer(),
          added_at: Type.Integer(),
        }),
      ),
    }),
    ...failures,
  },
};

const Anything = Type.Object({}, { additionalProperties: true });

/** Requires a validated address, which this server doesn't support: always refused. */
export const refusedThreepid = { body: Anything, response: { 200: EmptyObject, ...failures } };

/** Removes an address. */
export const postOwnThreepid = {
  body: Type.Object(
    {
      medium: Type.Union([Type.Literal('email'), Type.Literal('msisdn')]),
      address: Type.String(),
    },
    { additionalProperties: true },
  ),
  response: { 200: Type.Object({ id_server_unbind_result: Type.String() }), ...failures },
};

/** Owner of the access token. Matrix specification, client-server API, "Current account information". */

const WhoAmI = Type.Object({
  user_id: Type.String(),
  device_id: Type.Optional(Type.String()),
  is_guest: Type.Boolean(),
});

/** `GET …/account/whoami`. */
export const getWhoAmI = { response: { 200: WhoAmI, ...failures } };

/** Tokens that prove the user's identity to third parties. Matrix specification, client-server API, "OpenID". */

export const postOpenIdToken = {
  params: Type.Object({ userId: Type.String() }),
  body: Type.Optional(JsonObject),
  response: {
    200: Type.Object({
      access_token: Type.String(),
      token_type: Type.String(),
      matrix_server_name: Type.String(),
      expires_in: Type.Integer({ description: 'Seconds' }),
    }),
    ...failures,
  },
};

export const getOpenIdUser = {
  querystring: Type.Object({ access_token: Type.Optional(Type.String()) }),
  response: { 200: Type.Object({ sub: Type.String() }), ...failures },
};
