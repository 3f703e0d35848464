/** The rules that a login by token holds to, one after the other. Interface: "JWT claims", "Errors". */
import type { JsonObject } from '../../shared/api/common.ts';
import type { JwtCheckName } from '../../shared/workbench/jwt.ts';
import type { JwtConfig } from '../config/jwt.ts';
import { createSignatureCheck } from './jwt-signature.ts';
import { type OpenedToken, readObject } from './jwt-token.ts';

/** How far the signer's clock may be ahead or behind, in seconds. */
const clockTolerance = 120;

/** What is known of a token while it is looked at. */
export type LookedAt = {
  token: OpenedToken | undefined;
  /** Known from the check of that name on. */
  claims: JsonObject | undefined;
  /** In milliseconds since the Unix epoch. */
  now: number;
};

export type Check = {
  check: JwtCheckName;
  /** What is wrong, in words that hold nothing of the token or the key; null where it can't be looked at. */
  fault(at: LookedAt): string | undefined | null;
  /** What is right where nothing is wrong. */
  good(claims: JsonObject): string;
};

const noToken = 'not a JSON Web Token that the configured key can verify';
const noClaims = 'claims must be a JSON object';

/**
 * What to look at, in this order: the first fault is what a login is refused for. Only the configured algorithm is
 * accepted, whatever the token's header asks for, and no key is taken from the token.
 *
 * @throws Error where the configured key can't be read
 */
export function createChecks(config: JwtConfig): readonly Check[] {
  const { algorithm, issuer, audiences, subjectClaim } = config;
  const isSigned = createSignatureCheck(algorithm, config.secret);

  return [
    {
      check: 'form',
      fault: ({ token }) => (token ? undefined : noToken),
      good: () => 'three parts separated by dots',
    },
    {
      check: 'header',
      fault: ({ token }) => (token ? (token.header ? undefined : noToken) : null),
      good: () => 'header is a base64url-encoded JSON object',
    },
    {
      check: 'extensions',
      fault: ofHeader(extensionFault),
      good: () => 'no unsupported extensions in the header',
    },
    {
      check: 'algorithm',
      fault: ofHeader(({ alg }) => {
        if (typeof alg !== 'string' || alg === '') return noToken;
        return alg === algorithm ? undefined : "token isn't signed with the configured algorithm";
      }),
      good: () => `${algorithm}, as configured`,
    },
    {
      check: 'signature',
      fault: ({ token }) => {
        if (!token) return null;
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what is signed is ASCII
        if (!isSigned || !token.signature || !/^[\x00-\x7f]*$/.test(token.signingInput)) return noToken;
        return isSigned(token.signingInput, token.signature) ? undefined : "signature doesn't match";
      },
      good: () => 'matches the configured key',
    },
    {
      check: 'claims',
      fault(at) {
        if (!at.token) return null;
        if (isUnencoded(at.token.header)) return noClaims;
        if (!at.token.payload) return noToken;
        at.claims = readObject(at.token.payload);
        return at.claims ? undefined : noClaims;
      },
      good: () => 'claims are a base64url-encoded JSON object',
    },
    {
      check: 'issuer',
      fault: ofClaims((claims) => {
        if (issuer === undefined) return undefined;
        if (!Object.hasOwn(claims, 'iss')) return missing('iss');
        return claims.iss === issuer ? undefined : another('iss');
      }),
      good: () =>
        issuer === undefined ? 'no issuer configured; any is accepted' : 'iss matches the configured issuer',
    },
    {
      check: 'audience',
      fault: ofClaims((claims) => audienceFault(claims, audiences)),
      good: () =>
        audiences ? 'aud contains a configured audience' : 'no audience configured and none in the token',
    },
    {
      check: 'not_before',
      fault: ofClaims(({ nbf }, now) => {
        if (nbf === undefined) return undefined;
        if (typeof nbf !== 'number') return noNumber('nbf');
        return nbf > Math.floor(now / 1000) + clockTolerance ? "token isn't valid yet" : undefined;
      }),
      good: (claims) => (claims.nbf === undefined ? 'no nbf claim' : 'nbf is in the past'),
    },
    {
      check: 'expiry',
      fault: ofClaims(({ exp }, now) => {
        if (exp === undefined) return undefined;
        if (typeof exp !== 'number') return noNumber('exp');
        return exp <= Math.floor(now / 1000) - clockTolerance ? 'token has expired' : undefined;
      }),
      good: (claims) =>
        claims.exp === undefined ? 'no exp claim; the token never expires' : 'exp is in the future',
    },
    {
      check: 'issued_at',
      fault: ofClaims(({ iat }, now) => {
        if (iat === undefined) return undefined;
        if (typeof iat !== 'number') return noNumber('iat');
        return iat > now / 1000 + clockTolerance ? 'token was issued in the future' : undefined;
      }),
      good: (claims) => (claims.iat === undefined ? 'no iat claim' : 'iat is in the past'),
    },
    {
      check: 'subject',
      fault: ofClaims((claims) => {
        if (!Object.hasOwn(claims, subjectClaim)) return missing(subjectClaim);
        return typeof claims[subjectClaim] === 'string'
          ? undefined
          : `claim '${subjectClaim}' must be a string`;
      }),
      good: () => `${subjectClaim} is a string`,
    },
  ];
}

const ofHeader =
  (fault: (header: JsonObject) => string | undefined) =>
  ({ token }: LookedAt) =>
    token?.header ? fault(token.header) : null;

const ofClaims =
  (fault: (claims: JsonObject, now: number) => string | undefined) =>
  ({ claims, now }: LookedAt) =>
    claims ? fault(claims, now) : null;

const missing = (claim: string) => `claim '${claim}' is required`;
const another = (claim: string) => `claim '${claim}' doesn't match the configuration`;
const noNumber = (claim: string) => `claim '${claim}' must be a number`;

/** RFC 7515, 4.1.11: what a header says is critical has to be understood. Of extensions, this knows RFC 7797 alone. */
function extensionFault({ crit, ...header }: JsonObject): string | undefined {
  if (crit === undefined) return undefined;
  if (!Array.isArray(crit) || crit.length === 0) return noToken;
  if (crit.some((name) => typeof name !== 'string' || name === '')) return noToken;
  for (const name of crit) {
    if (name !== 'b64') return 'token header requires an unsupported extension';
    if (header.b64 === undefined) return noToken;
  }
  return typeof header.b64 === 'boolean' ? undefined : noToken;
}

/** RFC 7797, 7: the claims of a token are never unencoded. */
const isUnencoded = (header: JsonObject | undefined) => header?.crit !== undefined && header.b64 === false;

function audienceFault(claims: JsonObject, audiences: readonly string[] | undefined): string | undefined {
  const { aud } = claims;
  if (!audiences) {
    return aud === undefined ? undefined : 'token has an audience, but none is configured';
  }
  if (!Object.hasOwn(claims, 'aud')) return missing('aud');
  const named: unknown[] = Array.isArray(aud) ? aud : [aud];
  return audiences.some((one) => named.includes(one)) ? undefined : another('aud');
}
