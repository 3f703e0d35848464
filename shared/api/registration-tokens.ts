/** Registration tokens. The reference homeserver's "Registration Tokens" API. */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Nullable, Timestamp } from './common.ts';

const fields = {
  uses_allowed: Nullable(Type.Integer({ minimum: 0, description: 'Null for unlimited' })),
  expiry_time: Nullable(Timestamp),
};

export const RegistrationToken = Type.Object({
  token: Type.String(),
  ...fields,
  pending: Type.Integer({ description: 'Registrations in progress' }),
  completed: Type.Integer(),
});
export type RegistrationToken = Static<typeof RegistrationToken>;

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

export const RegistrationTokenLimits = Type.Object(Limits, { additionalProperties: true });
export type RegistrationTokenLimits = Static<typeof RegistrationTokenLimits>;
export const putRegistrationToken = { ...one, body: RegistrationTokenLimits };

/** Interface: "Other endpoints that are referenced", registration-token validity. */
export const getTokenValidity = {
  querystring: Type.Object({ token: Type.String() }),
  response: { 200: Type.Object({ valid: Type.Boolean() }), ...failures },
};
