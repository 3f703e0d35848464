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
  if (error instanceof errors.JWTExpired) return 'token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return claimSentence(error);
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature doesn't match";
  if (error instanceof errors.JOSEAlgNotAllowed) return "token isn't signed with the configured algorithm";
  if (error instanceof errors.JOSENotSupported) return 'token header requires an unsupported extension';
  if (error instanceof errors.JWTInvalid) return 'claims must be a JSON object';
  return 'not a JSON Web Token that the configured key can verify';
}

function claimSentence({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return `claim '${claim}' is required`;
  if (reason === 'invalid') return `claim '${claim}' must be a number`;
  if (claim === 'nbf') return "token isn't valid yet";
  return `claim '${claim}' doesn't match the configuration`;
}
