/**
 * Explains why a login accepts or refuses a JSON Web Token, and mints tokens.
 *
 * Everything in `shared/workbench/` is under Gatehouse's own prefix, `/_gatehouse/v1`, for server admins on the server's own
 * computer. Synapse doesn't have it.
 */
import { type Static, Type } from 'typebox';
import { failures, JsonObject } from '../api/common.ts';

export const jwtAlgorithms = [
  ...['HS256', 'HS384', 'HS512'],
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;
export const JwtAlgorithm = Type.Enum([...jwtAlgorithms]);
export type JwtAlgorithm = (typeof jwtAlgorithms)[number];

/** The checks of a login, in order. The first failed one is its error. */
const jwtChecks = [
  ...['enabled', 'form', 'header', 'extensions', 'algorithm', 'signature', 'claims'],
  ...['issuer', 'audience', 'not_before', 'expiry', 'issued_at', 'subject', 'user'],
] as const;
export type JwtCheckName = (typeof jwtChecks)[number];

export const JwtCheck = Type.Object({
  check: Type.Enum([...jwtChecks]),
  passed: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: 'Null if not checked because an earlier check failed',
  }),
  sentence: Type.String({
    description: 'Finding, or the reason for the rejection',
  }),
});
export type JwtCheck = Static<typeof JwtCheck>;

/** A token and the result of a login with it. */
export const JwtExplanation = Type.Object({
  checks: Type.Array(JwtCheck),
  accepted: Type.Boolean({ description: 'A login with this token is accepted' }),
  refusal: Type.Optional(Type.String({ description: 'Error of the login, if rejected' })),
  hint: Type.Optional(Type.String({ description: 'Likely cause of a wrong signature' })),
  localpart: Type.Optional(Type.String({ description: 'Local part of the user ID' })),
  display_name: Type.Optional(Type.String()),
  header: Type.Optional(JsonObject),
  claims: Type.Optional(JsonObject),
});
export type JwtExplanation = Static<typeof JwtExplanation>;

export const explainJwt = {
  body: Type.Object({ token: Type.String() }, { additionalProperties: true }),
  response: { 200: JwtExplanation, ...failures },
};

/** Settings of tokens, without the secret. */
export const JwtSettings = Type.Object({
  enabled: Type.Boolean(),
  algorithm: Type.Optional(Type.String()),
  subject_claim: Type.Optional(Type.String()),
  display_name_claim: Type.Optional(Type.String()),
  issuer: Type.Optional(Type.String()),
  audiences: Type.Optional(Type.Array(Type.String())),
  can_sign: Type.Boolean({
    description: 'The configured key can sign tokens: it is a shared secret',
  }),
});
export type JwtSettings = Static<typeof JwtSettings>;
export const getJwtSettings = { response: { 200: JwtSettings, ...failures } };

/**
 * Mints a token. `key`: `configured` for the configured shared secret, another secret, or a private key in PEM or JWK format;
 * 400 `M_INVALID_PARAM` if it can't sign with the algorithm. Claims aren't checked, so that every refusal can be tested.
 * `algorithm`: by default the configured one; `none` leaves the signature empty.
 */
export const mintJwt = {
  body: Type.Object(
    {
      claims: JsonObject,
      algorithm: Type.Optional(Type.Enum([...jwtAlgorithms, 'none'])),
      key: Type.Optional(Type.String({ maxLength: 20_000, default: 'configured' })),
      header: Type.Optional(JsonObject),
    },
    { additionalProperties: true },
  ),
  response: { 200: Type.Object({ token: Type.String() }), ...failures },
};

/** `secret` for HS*; otherwise a key pair in PEM: sign with the private key, configure the public one. */
export const JwtKeys = Type.Object({
  secret: Type.Optional(Type.String()),
  private_key: Type.Optional(Type.String()),
  public_key: Type.Optional(Type.String()),
});
export type JwtKeys = Static<typeof JwtKeys>;
export const generateJwtKeys = {
  body: Type.Object({ algorithm: JwtAlgorithm }, { additionalProperties: true }),
  response: { 200: JwtKeys, ...failures },
};
