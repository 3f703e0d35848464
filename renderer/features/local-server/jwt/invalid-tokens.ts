import type { JsonObject } from '../../../../shared/api/common.ts';
import type { JwtSettings } from '../../../../shared/workbench/jwt.ts';

const hour = 3600;

/** Parameters of `jwt/mint`. `truncated` drops the signature. */
export type TokenRecipe = { claims: JsonObject; algorithm: string; key: string; truncated?: true };

/** `from` changes a valid token's recipe; `now` is in seconds since 1970. */
export type InvalidToken = {
  id: string;
  label: string;
  from: (valid: TokenRecipe, now: number) => TokenRecipe;
};

const withClaims =
  (change: (claims: JsonObject, now: number) => JsonObject): InvalidToken['from'] =>
  (valid, now) => ({ ...valid, claims: change(valid.claims, now) });

const wrongSecret = 'this is not the key of any server, and long enough for every algorithm of the HS family';

/** Returns one kind of invalid token for each check of this configuration. */
export function invalidTokensFor(settings: JwtSettings): InvalidToken[] {
  const subject = settings.subject_claim ?? 'sub';
  const without = (name: string) =>
    withClaims((claims) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name)));
  const { audiences, issuer, can_sign } = settings;
  return [
    { id: 'no-subject', label: /*i18n*/ 'No subject', from: without(subject) },
    {
      id: 'odd-subject',
      label: /*i18n*/ 'Subject not a string',
      from: withClaims((claims) => ({ ...claims, [subject]: 42 })),
    },
    {
      id: 'expired',
      label: /*i18n*/ 'Expired',
      from: withClaims((claims, now) => ({ ...claims, exp: now - hour })),
    },
    {
      id: 'not-yet',
      label: /*i18n*/ 'Not valid yet',
      from: withClaims((claims, now) => ({ ...claims, nbf: now + hour })),
    },
    {
      id: 'from-the-future',
      label: /*i18n*/ 'Issued in the future',
      from: withClaims((claims, now) => ({ ...claims, iat: now + hour })),
    },
    {
      id: 'odd-time',
      label: /*i18n*/ 'Time not a number',
      from: withClaims((claims) => ({ ...claims, exp: 'tomorrow' })),
    },
    ...(issuer === undefined
      ? []
      : [
          { id: 'no-issuer', label: /*i18n*/ 'No issuer', from: without('iss') },
          {
            id: 'wrong-issuer',
            label: /*i18n*/ 'Wrong issuer',
            from: withClaims((claims) => ({ ...claims, iss: 'https://someone-else.example' })),
          },
        ]),
    ...(audiences === undefined
      ? [
          {
            id: 'audience',
            label: /*i18n*/ 'Unexpected audience',
            from: withClaims((claims) => ({ ...claims, aud: 'someone-else' })),
          },
        ]
      : [
          { id: 'no-audience', label: /*i18n*/ 'No audience', from: without('aud') },
          {
            id: 'wrong-audience',
            label: /*i18n*/ 'Wrong audience',
            from: withClaims((claims) => ({ ...claims, aud: 'someone-else' })),
          },
        ]),
    ...(can_sign
      ? [
          {
            id: 'other-algorithm',
            label: /*i18n*/ 'Different algorithm',
            from: (valid: TokenRecipe) => ({
              ...valid,
              algorithm: valid.algorithm === 'HS512' ? 'HS256' : 'HS512',
            }),
          },
        ]
      : []),
    {
      id: 'wrong-key',
      label: /*i18n*/ 'Wrong key',
      from: (valid) => ({
        ...valid,
        ...(valid.algorithm.startsWith('HS') ? {} : { algorithm: 'HS256' }),
        key: wrongSecret,
      }),
    },
    { id: 'unsigned', label: /*i18n*/ 'Unsigned', from: (valid) => ({ ...valid, algorithm: 'none' }) },
    { id: 'truncated', label: /*i18n*/ 'Truncated', from: (valid) => ({ ...valid, truncated: true }) },
  ];
}
