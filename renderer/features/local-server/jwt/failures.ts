/** Each way in which a login with a token fails, to be had by a button. Interface: "JWT claims", "Errors". */
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { JwtSettings } from '../../../../shared/workbench/jwt.ts';

const hour = 3600;

/** How a token is made. `key` is as the server's `jwt/mint` takes it; `cut` ends it in the middle. */
export type Recipe = { claims: JsonObject; algorithm: string; key: string; cut?: true };

export type Failure = { id: string; label: string; of: (good: Recipe, now: number) => Recipe };

const claims =
  (change: (claims: JsonObject, now: number) => JsonObject): Failure['of'] =>
  (good, now) => ({ ...good, claims: change(good.claims, now) });

/** A secret of which it is known that no server has it. */
const wrongSecret = 'this is not the key of any server, and long enough for every algorithm of the HS family';

/** The failures that this configuration has, in the order of the table. */
export function failuresOf(settings: JwtSettings): Failure[] {
  const subject = settings.subject_claim ?? 'sub';
  const without = (name: string) =>
    claims((given) => Object.fromEntries(Object.entries(given).filter(([each]) => each !== name)));
  const { audiences, issuer, can_sign } = settings;
  return [
    { id: 'no-subject', label: /*i18n*/ 'No subject', of: without(subject) },
    {
      id: 'odd-subject',
      label: /*i18n*/ 'Subject not a string',
      of: claims((given) => ({ ...given, [subject]: 42 })),
    },
    { id: 'expired', label: /*i18n*/ 'Expired', of: claims((given, now) => ({ ...given, exp: now - hour })) },
    {
      id: 'not-yet',
      label: /*i18n*/ 'Not valid yet',
      of: claims((given, now) => ({ ...given, nbf: now + hour })),
    },
    {
      id: 'from-the-future',
      label: /*i18n*/ 'Issued in the future',
      of: claims((given, now) => ({ ...given, iat: now + hour })),
    },
    {
      id: 'odd-time',
      label: /*i18n*/ 'Time not a number',
      of: claims((given) => ({ ...given, exp: 'tomorrow' })),
    },
    ...(issuer === undefined
      ? []
      : [
          { id: 'no-issuer', label: /*i18n*/ 'No issuer', of: without('iss') },
          {
            id: 'wrong-issuer',
            label: /*i18n*/ 'Wrong issuer',
            of: claims((given) => ({ ...given, iss: 'https://someone-else.example' })),
          },
        ]),
    ...(audiences === undefined
      ? [
          {
            id: 'audience',
            label: /*i18n*/ 'Unexpected audience',
            of: claims((given) => ({ ...given, aud: 'someone-else' })),
          },
        ]
      : [
          { id: 'no-audience', label: /*i18n*/ 'No audience', of: without('aud') },
          {
            id: 'wrong-audience',
            label: /*i18n*/ 'Wrong audience',
            of: claims((given) => ({ ...given, aud: 'someone-else' })),
          },
        ]),
    ...(can_sign
      ? [
          {
            id: 'other-algorithm',
            label: /*i18n*/ 'Different algorithm',
            of: (good: Recipe) => ({ ...good, algorithm: good.algorithm === 'HS512' ? 'HS256' : 'HS512' }),
          },
        ]
      : []),
    {
      id: 'wrong-key',
      label: /*i18n*/ 'Wrong key',
      of: (good) => ({
        ...good,
        ...(good.algorithm.startsWith('HS') ? {} : { algorithm: 'HS256' }),
        key: wrongSecret,
      }),
    },
    { id: 'unsigned', label: /*i18n*/ 'Unsigned', of: (good) => ({ ...good, algorithm: 'none' }) },
    { id: 'cut', label: /*i18n*/ 'Truncated', of: (good) => ({ ...good, cut: true }) },
  ];
}
