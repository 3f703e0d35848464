/** Checking the JSON Web Token of a login. Interface: "JWT claims", "Authentication" 2, "Errors". */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { type CryptoKey, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { JwtConfig } from '../config/jwt.ts';
import type { Clock } from '../core/clock.ts';
import { forbidden } from '../core/matrix-error.ts';

/** How far the signer's clock may be ahead or behind, in seconds. */
const clockTolerance = 120;

/** Who a token says its bearer is. */
type JwtSubject = { localpart: string; displayName?: string };

/** What makes sure that a token is good; made once from the configuration, whose key it parses. */
export type JwtVerifier = (token: string) => Promise<JwtSubject>;

/**
 * A function that takes a token and gives its subject, or throws 403 `M_FORBIDDEN` with a sentence that
 * says which check failed. Only the configured algorithm is accepted, whatever the token's header asks
 * for, and no key is taken from the token.
 *
 * @throws Error where the configured key can't be read
 */
export function createJwtVerifier(config: JwtConfig, clock: Clock): JwtVerifier {
  const key = verifyingKey(config);
  const options: JWTVerifyOptions = {
    algorithms: [config.algorithm],
    clockTolerance,
    ...(config.issuer === undefined ? {} : { issuer: config.issuer }),
    ...(config.audiences ? { audience: config.audiences } : {}),
  };

  return async (token) => {
    const now = clock.now();
    const { payload } = await jwtVerify(token, await key, { ...options, currentDate: new Date(now) }).catch(
      (error: unknown) => {
        throw forbidden(`JWT validation failed: ${sentenceFor(error)}`);
      },
    );
    checkIssuedAt(payload, now);
    if (payload.aud !== undefined && !config.audiences) {
      throw forbidden('JWT validation failed: the token names an audience, but none is configured');
    }
    const localpart = payload[config.subjectClaim];
    if (typeof localpart !== 'string') {
      throw forbidden(`JWT validation failed: the claim '${config.subjectClaim}' has to be a string`);
    }
    const displayName = config.displayNameClaim && payload[config.displayNameClaim];
    return { localpart, ...(typeof displayName === 'string' ? { displayName } : {}) };
  };
}

/** The key as what checks signatures takes it: otherwise it would be made into that for each token. */
function verifyingKey({ algorithm, secret }: JwtConfig): Promise<CryptoKey> | KeyObject {
  if (!algorithm.startsWith('HS')) return createPublicKey(secret);
  const hash = `SHA-${algorithm.slice(2)}`;
  return crypto.subtle.importKey('raw', Buffer.from(secret), { name: 'HMAC', hash }, false, ['verify']);
}

/** `iat` is optional, but a token from the future is not valid; jose looks at it only to limit the age. */
function checkIssuedAt({ iat }: JWTPayload, now: number): void {
  if (iat === undefined) return;
  if (typeof iat !== 'number') throw forbidden("JWT validation failed: the claim 'iat' has to be a number");
  if (iat > now / 1000 + clockTolerance) {
    throw forbidden('JWT validation failed: the token was issued in the future');
  }
}

/** What is wrong with the token, in words that hold nothing of the token or the key. */
function sentenceFor(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return claimSentence(error);
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature does not match';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'the token is not signed with the configured algorithm';
  if (error instanceof errors.JOSENotSupported)
    return "the token's header asks for something that is not supported";
  if (error instanceof errors.JWTInvalid) return 'the claims are not a JSON object';
  return 'this is not a JSON Web Token that the configured key can check';
}

function claimSentence({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return `the claim '${claim}' is required`;
  if (reason === 'invalid') return `the claim '${claim}' has to be a number`;
  if (claim === 'nbf') return 'the token is not valid yet';
  return `the claim '${claim}' is not the configured one`;
}
