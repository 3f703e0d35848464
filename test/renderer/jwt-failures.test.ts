/** The tokens that the workbench makes to fail, held to what the server itself decides by. */
import { describe, expect, test } from 'vitest';
import { goodClaims } from '../../renderer/features/local-server/jwt/ClaimsEditor.tsx';
import { failuresOf, type Recipe } from '../../renderer/features/local-server/jwt/failures.ts';
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
  const good: Recipe = { claims: goodClaims(settings, 'ada', now), algorithm: 'HS256', key: secret };
  const tokenOf = async ({ claims, algorithm, key, cut }: Recipe) => {
    const token = await mintToken({ claims, algorithm: algorithm as JwtAlgorithm, key });
    return cut ? token.slice(0, token.lastIndexOf('.')) : token;
  };

  test('the claims that it begins with are accepted', async () => {
    const { subject, refusal } = await verifier.explain(await tokenOf(good));
    expect({ subject, refusal }).toEqual({ subject: { localpart: 'ada' }, refusal: undefined });
  });

  test('each failure is refused, each for a reason of its own', async () => {
    const failed: unknown[] = [];
    for (const { id, of } of failuresOf(settings)) {
      const { refusal, checks } = await verifier.explain(await tokenOf(of(good, now)));
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
      ['cut', 'form'],
    ]);
  });

  test('what is wrong stays as it is in everything else', () => {
    for (const { of } of failuresOf(settings)) {
      const made = of(good, now);
      const changed = Object.keys({ ...good.claims, ...made.claims }).filter(
        (name) => made.claims[name] !== good.claims[name],
      );
      expect(
        changed.length + Number(made.algorithm !== 'HS256') + Number(made.key !== secret),
      ).toBeLessThanOrEqual(1);
    }
  });
});
