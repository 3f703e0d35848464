/** What a widely used library says of a token, in the words of this server's refusals. */
import { createPublicKey } from 'node:crypto';
import { type CryptoKey, errors, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { JwtConfig } from '../../../server/config/jwt.ts';

/** Gives the claims, or the sentence of the refusal: of the library's own rules, which are all but those below. */
export async function askLibrary(config: JwtConfig, token: string, now: number): Promise<object | string> {
  const { algorithm, secret, issuer, audiences } = config;
  const options: JWTVerifyOptions = {
    algorithms: [algorithm],
    clockTolerance: 120,
    currentDate: new Date(now),
    ...(issuer === undefined ? {} : { issuer }),
    ...(audiences ? { audience: audiences } : {}),
  };
  const key: CryptoKey | ReturnType<typeof createPublicKey> = algorithm.startsWith('HS')
    ? await crypto.subtle.importKey(
        'raw',
        Buffer.from(secret),
        { name: 'HMAC', hash: `SHA-${algorithm.slice(2)}` },
        false,
        ['verify'],
      )
    : createPublicKey(secret);
  try {
    const { payload } = await jwtVerify(token, key, options);
    return payload;
  } catch (error) {
    return sentenceFor(error);
  }
}

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
