/** Verifies the JSON Web Token of a login. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { errors } from 'jose';
import { compactVerify } from 'jose/jws/compact/verify';
import type { JsonObject } from '../../../shared/api/common.ts';
import type { JwtCheck, JwtCheckName } from '../../../shared/workbench/jwt.ts';
import type { JwtConfig } from '../../platform/config/jwt.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { forbidden } from '../../platform/core/matrix-error.ts';
import { KeySetUnavailable, type VerifySignature, verifyWithKeySet } from './jwt-key-set.ts';
import { type DecodedToken, decodeToken } from './jwt-token.ts';

/** Tolerated difference of the issuer's clock, in seconds. */
const clockTolerance = 120;
const tolerated = `but within the tolerance of ${clockTolerance} seconds`;

type ClaimCheck = {
  check: JwtCheckName;
  /**
   * Returns the fault, without values of the token or the key.
   *
   * @param now in seconds since the Unix epoch
   */
  fault(claims: JsonObject, now: number): string | undefined;
  /** The detail of a passed check. */
  success(claims: JsonObject, now: number): string;
};

/** Returns the checks in their order: a login is refused with the first fault. */
function createClaimChecks({ issuer, audiences, subjectClaim }: JwtConfig): readonly ClaimCheck[] {
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
      success({ nbf }, now) {
        if (nbf === undefined) return 'no nbf claim';
        return Number(nbf) > now ? `nbf is in the future, ${tolerated}` : 'nbf is in the past';
      },
    },
    {
      check: 'expiry',
      fault({ exp }, now) {
        if (exp === undefined) return undefined;
        if (typeof exp !== 'number') return notNumber('exp');
        return exp <= Math.floor(now) - clockTolerance ? 'token has expired' : undefined;
      },
      success({ exp }, now) {
        if (exp === undefined) return 'no exp claim; the token never expires';
        return Number(exp) > now ? 'exp is in the future' : `exp is in the past, ${tolerated}`;
      },
    },
    {
      check: 'issued_at',
      fault({ iat }, now) {
        if (iat === undefined) return undefined;
        if (typeof iat !== 'number') return notNumber('iat');
        return iat > now + clockTolerance ? 'token was issued in the future' : undefined;
      },
      success({ iat }, now) {
        if (iat === undefined) return 'no iat claim';
        return Number(iat) > now ? `iat is in the future, ${tolerated}` : 'iat is in the past';
      },
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

/** The user that a token identifies. */
export type JwtSubject = { localpart: string; displayName?: string };

export type JwtFindings = {
  /** All checks, in the order in which a login makes them. */
  checks: JwtCheck[];
  /** Error of a login with this token, if it is refused. */
  refusal: string | undefined;
  /** Set if the token is valid. */
  subject: JwtSubject | undefined;
  /** Likely cause of a wrong signature. */
  hint: string | undefined;
};

export type JwtVerifier = {
  /** @throws MatrixError 403 `M_FORBIDDEN` naming the first failed check */
  verify(token: string): Promise<JwtSubject>;
  /** Like `verify`, but continues after a failed check. */
  explain(token: string): Promise<JwtFindings>;
};

/** @throws Error if the configured key is unreadable */
export function createJwtVerifier(config: JwtConfig, clock: Clock): JwtVerifier {
  const { algorithm, secret, keySet, subjectClaim, displayNameClaim } = config;
  const verifySignature = keySet
    ? verifyWithKeySet(keySet, algorithm)
    : verifyWithKey(verificationKey(config, secret), algorithm);
  const claimChecks = createClaimChecks(config);

  async function check(token: string): Promise<Omit<JwtFindings, 'hint'>> {
    const decoded = decodeToken(token);
    const checks = [
      ...signatureChecks(await signatureFault(token, decoded, verifySignature), algorithm),
      ...checkClaims(decoded),
    ];
    const failed = checks.find(({ passed }) => passed !== true);
    return {
      checks,
      refusal: failed && `JWT validation failed: ${failed.sentence}`,
      subject: !failed && decoded?.claims ? subjectOf(decoded.claims) : undefined,
    };
  }

  function checkClaims(decoded: DecodedToken | undefined): JwtCheck[] {
    const { claims } = decoded ?? {};
    if (!decoded || !claims) {
      return [
        decoded ? fail('claims', 'claims must be a JSON object') : skip('claims'),
        ...claimChecks.map(({ check }) => skip(check)),
      ];
    }
    const now = clock.now() / 1000;
    return [
      pass('claims', 'claims are a base64url-encoded JSON object'),
      ...claimChecks.map(({ check, fault, success }) => {
        const sentence = fault(claims, now);
        return sentence === undefined ? pass(check, success(claims, now)) : fail(check, sentence);
      }),
    ];
  }

  function subjectOf(claims: JsonObject): JwtSubject {
    const displayName = displayNameClaim && claims[displayNameClaim];
    return {
      // The subject check has passed.
      localpart: claims[subjectClaim] as string,
      ...(typeof displayName === 'string' ? { displayName } : {}),
    };
  }

  return {
    async verify(token) {
      const { subject, refusal = '' } = await check(token);
      if (!subject) throw forbidden(refusal);
      return subject;
    },
    async explain(token) {
      const found = await check(token);
      const isSignatureWrong = found.checks.some((one) => one.check === 'signature' && one.passed === false);
      return { ...found, hint: isSignatureWrong ? await findNewlineMistake(config, token) : undefined };
    },
  };
}

const pass = (check: JwtCheckName, sentence: string): JwtCheck => ({ check, passed: true, sentence });
const fail = (check: JwtCheckName, sentence: string): JwtCheck => ({ check, passed: false, sentence });
const skip = (check: JwtCheckName): JwtCheck => ({
  check,
  passed: null,
  sentence: 'not checked because an earlier check failed',
});

type SignatureFault = { check: JwtCheckName; sentence: string };
type VerificationKey = Uint8Array | KeyObject;

const verificationKey = ({ algorithm }: JwtConfig, secret: string): VerificationKey =>
  algorithm.startsWith('HS') ? Buffer.from(secret) : createPublicKey(secret);

const verifyWithKey =
  (key: VerificationKey, algorithm: string): VerifySignature =>
  (token) =>
    compactVerify(token, key, { algorithms: [algorithm] });

/** Lists all checks except those of the claims; checks after the fault are skipped. */
function signatureChecks(fault: SignatureFault | undefined, algorithm: string): JwtCheck[] {
  const successes: [JwtCheckName, string][] = [
    ['form', 'three parts separated by dots'],
    ['header', 'header is a base64url-encoded JSON object'],
    ['extensions', 'no unsupported extensions in the header'],
    ['algorithm', `${algorithm}, as configured`],
    ['signature', 'matches the configured key'],
  ];
  const failedAt = fault ? successes.findIndex(([check]) => check === fault.check) : successes.length;
  return successes.map(([check, sentence], index) => {
    if (index < failedAt) return pass(check, sentence);
    return fault && index === failedAt ? fail(check, fault.sentence) : skip(check);
  });
}

/** Accepts only the configured algorithm, regardless of the token's header, and no key from the token. */
async function signatureFault(
  token: string,
  decoded: DecodedToken | undefined,
  verifySignature: VerifySignature,
): Promise<SignatureFault | undefined> {
  const noToken = 'not a JSON Web Token that the configured key can verify';
  if (!decoded?.isBase64url) return { check: 'form', sentence: noToken };
  if (!decoded.header) return { check: 'header', sentence: noToken };
  try {
    await verifySignature(token);
    return undefined;
  } catch (error) {
    if (error instanceof KeySetUnavailable) return { check: 'signature', sentence: error.message };
    if (error instanceof errors.JWKSNoMatchingKey) {
      return { check: 'signature', sentence: 'key set has no key for this token' };
    }
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      return { check: 'signature', sentence: "signature doesn't match" };
    }
    if (error instanceof errors.JOSEAlgNotAllowed) {
      return { check: 'algorithm', sentence: "token isn't signed with the configured algorithm" };
    }
    if (error instanceof errors.JOSENotSupported) {
      return { check: 'extensions', sentence: 'token header requires an unsupported extension' };
    }
    return { check: error instanceof errors.JOSEError ? 'header' : 'signature', sentence: noToken };
  }
}

const trailingNewline = /\r?\n$/;

/** Explains a wrong signature if the two secrets differ only by a trailing newline, as YAML, echo and editors add. */
async function findNewlineMistake(config: JwtConfig, token: string): Promise<string | undefined> {
  const { algorithm, secret } = config;
  if (!algorithm.startsWith('HS')) return undefined;
  const isSignedWith = (key: string) =>
    compactVerify(token, verificationKey(config, key), { algorithms: [algorithm] }).then(
      () => true,
      () => false,
    );
  if (trailingNewline.test(secret) && (await isSignedWith(secret.replace(trailingNewline, '')))) {
    return 'The token was signed without the trailing newline of the configured secret. In YAML, start a multi-line secret with |- instead of | to omit the newline.';
  }
  if ((await isSignedWith(`${secret}\n`)) || (await isSignedWith(`${secret}\r\n`))) {
    return 'The token was signed with the configured secret plus a trailing newline, as editors and echo add. Sign without the newline.';
  }
  return undefined;
}
