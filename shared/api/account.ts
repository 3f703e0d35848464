/** What users do with their own accounts. Matrix specification, client-server API, "Account management". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Nullable } from './common.ts';
import { InteractiveAuth } from './interactive-auth.ts';
import { Deactivated } from './user-administration.ts';

export const ChangePasswordRequest = Type.Object(
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

/** The body may be left out, as clients do that ask for the stages. */
export const DeactivateAccountRequest = Type.Object(
  { erase: Type.Boolean({ default: false }), auth: Type.Optional(InteractiveAuth) },
  { additionalProperties: true },
);
export type DeactivateAccountRequest = Static<typeof DeactivateAccountRequest>;
export const postDeactivate = {
  body: Type.Optional(DeactivateAccountRequest),
  response: { 200: Deactivated, ...failures },
};

/** The body may be left out, as clients do that ask for the stages. */
export const LoginTokenRequest = Type.Object(
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
