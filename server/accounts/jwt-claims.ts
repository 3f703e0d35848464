/** Validating the claims of a JSON Web Token. Interface: "JWT claims", "Errors". */
import type { JsonObject } from '../../shared/api/common.ts';
import type { JwtCheckName } from '../../shared/workbench/jwt.ts';
import type { JwtConfig } from '../config/jwt.ts';

/** How far the issuer's clock may be ahead or behind, in seconds. */
const clockTolerance = 120;

export type ClaimCheck = {
  check: JwtCheckName;
  /**
   * Returns what's wrong, without values of the token or the key.
   *
   * @param now in seconds since the Unix epoch
   */
  fault(claims: JsonObject, now: number): string | undefined;
  /** The finding if there is no fault. */
  success(claims: JsonObject): string;
};

/** Returns the checks in their order: a login is refused with the first fault. */
export function createClaimChecks({ issuer, audiences, subjectClaim }: JwtConfig): readonly ClaimCheck[] {
  return [
    {
      check: 'issuer',
      fault(claims) {
        if (issuer === undefined) return undefined;
        if (!Object.hasOwn(claims, 'iss')) return missing('iss');
        return claims.iss === issuer ? undefined : mismatch('iss');
      },
      success: () =>
        issuer === undefined ? 'no issuer configured; any is accepted' : 'iss matches the configured issuer',
    },
    {
      check: 'audience',
      fault(claims) {
        const { aud } = claims;
        if (!audiences) {
          return aud === undefined ? undefined : 'token has an audience, but none is configured';
        }
        if (!Object.hasOwn(claims, 'aud')) return missing('aud');
        const named: unknown[] = Array.isArray(aud) ? aud : [aud];
        return audiences.some((audience) => named.includes(audience)) ? undefined : mismatch('aud');
      },
      success: () =>
        audiences ? 'aud contains a configured audience' : 'no audience configured and none in the token',
    },
    {
      check: 'not_before',
      fault({ nbf }, now) {
        if (nbf === undefined) return undefined;
        if (typeof nbf !== 'number') return notNumber('nbf');
        return nbf > Math.floor(now) + clockTolerance ? "token isn't valid yet" : undefined;
      },
      success: ({ nbf }) => (nbf === undefined ? 'no nbf claim' : 'nbf is in the past'),
    },
    {
      check: 'expiry',
      fault({ exp }, now) {
        if (exp === undefined) return undefined;
        if (typeof exp !== 'number') return notNumber('exp');
        return exp <= Math.floor(now) - clockTolerance ? 'token has expired' : undefined;
      },
      success: ({ exp }) =>
        exp === undefined ? 'no exp claim; the token never expires' : 'exp is in the future',
    },
    {
      check: 'issued_at',
      fault({ iat }, now) {
        if (iat === undefined) return undefined;
        if (typeof iat !== 'number') return notNumber('iat');
        return iat > now + clockTolerance ? 'token was issued in the future' : undefined;
      },
      success: ({ iat }) => (iat === undefined ? 'no iat claim' : 'iat is in the past'),
    },
    {
      check: 'subject',
      fault(claims) {
        if (!Object.hasOwn(claims, subjectClaim)) return missing(subjectClaim);
        if (typeof claims[subjectClaim] !== 'string') return `claim '${subjectClaim}' must be a string`;
        return undefined;
      },
      success: () => `${subjectClaim} is a string`,
    },
  ];
}

const missing = (claim: string) => `claim '${claim}' is required`;
const mismatch = (claim: string) => `claim '${claim}' doesn't match the configuration`;
const notNumber = (claim: string) => `claim '${claim}' must be a number`;
