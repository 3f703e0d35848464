/** The failing tokens of the developer tools, checked against the server's own validation. */
import { describe, expect, test } from 'vitest';
import { validClaims } from '../../renderer/features/local-server/jwt/ClaimsEditor.tsx';
import {
  invalidTokensFor,
  type TokenRecipe,
} from '../../renderer/features/local-server/jwt/invalid-tokens.ts';
import { createJwtVerifier } from '../../server/identity/login/jwt.ts';
import { mintToken } from '../../server/identity/login/jwt-token.ts';
import type { JwtAlgorithm } from '../../shared/workbench/jwt.ts';
import { manualClock } from '../manual-clock.ts';

const secret = 'a secret that is shared and long enough for every algorithm of the HS family, HS512 too';
const clock = manualClock();
const now = Math.floor(clock.now() / 1000);

const everything = { issuer: 'https://issuer.example', audiences: ['our-client'], subjectClaim: 'username' };
const little = { issuer: undefined, audiences: undefined, subjectClaim: 'sub' };

describe.each([
  ['every check', everything],
  ['no more than it must', little],
])('with a configuration that has %s', (_, { issuer, audiences, subjectClaim }) => {
  const verifier = createJwtVerifier(
    { secret, algorithm: 'HS256', subjectClaim, displayNameClaim: undefined, issuer, audiences },
    clock,
  );
  const settings = {
    enabled: true,
    can_sign: true,
    algorithm: 'HS256',
    subject_claim: subjectClaim,
    ...(issuer !== undefined && { issuer }),
    ...(audiences && { audiences }),
  };
  const good: TokenRecipe = { claims: validClaims(settings, 'ada', now), algorithm: 'HS256', key: secret };
  const tokenOf = async ({ claims, algorithm, key, truncated }: TokenRecipe) => {
    const token = await mintToken({ claims, algorithm: algorithm as JwtAlgorithm, key });
    return truncated ? token.slice(0, token.lastIndexOf('.')) : token;
  };

  test('the default claims are accepted', async () => {
    const { subject, refusal } = await verifier.explain(await tokenOf(good));
    expect({ subject, refusal }).toEqual({ subject: { localpart: 'ada' }, refusal: undefined });
  });

  test('each failure is refused with its own reason', async () => {
    const failed: unknown[] = [];
    for (const { id, from } of invalidTokensFor(settings)) {
      const { refusal, checks } = await verifier.explain(await tokenOf(from(good, now)));
      failed.push([
        id,
        refusal === undefined ? 'accepted' : checks.find(({ passed }) => passed === false)?.check,
      ]);
    }
    const aboutIssuer = [
      ['no-issuer', 'issuer'],
      ['wrong-issuer', 'issuer'],
    ];
    const aboutAudience = audiences
      ? [
          ['no-audience', 'audience'],
          ['wrong-audience', 'audience'],
        ]
      : [['audience', 'audience']];
    expect(failed).toEqual([
      ['no-subject', 'subject'],
      ['odd-subject', 'subject'],
      ['expired', 'expiry'],
      ['not-yet', 'not_before'],
      ['from-the-future', 'issued_at'],
      ['odd-time', 'expiry'],
      ...(issuer === undefined ? [] : aboutIssuer),
      ...aboutAudience,
      ['other-algorithm', 'algorithm'],
      ['wrong-key', 'signature'],
      ['unsigned', 'algorithm'],
      ['truncated', 'form'],
    ]);
  });

  test('a failing token stays otherwise valid', () => {
    for (const { from } of invalidTokensFor(settings)) {
      const made = from(good, now);
      const changed = Object.keys({ ...good.claims, ...made.claims }).filter(
        (name) => made.claims[name] !== good.claims[name],
      );
      expect(
        changed.length + Number(made.algorithm !== 'HS256') + Number(made.key !== secret),
      ).toBeLessThanOrEqual(1);
    }
  });
});
