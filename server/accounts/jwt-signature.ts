/** Signatures of JSON Web Tokens, made and checked at once: to wait for another thread takes longer than they do. */
import {
  constants,
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import type { JwtAlgorithm } from '../../shared/workbench/jwt.ts';
import { isKeyFor } from '../config/jwt-key.ts';

/** What an algorithm of RFC 7518 or RFC 8037 is made of. */
type Scheme =
  | { kind: 'hmac'; hash: string }
  | { kind: 'rsa'; hash: string; pssSaltBytes?: number }
  /** `bytes` is how long each of the two numbers of a signature is. */
  | { kind: 'ec'; hash: string; bytes: number }
  | { kind: 'ed25519' };

const schemes: Record<JwtAlgorithm, Scheme> = {
  HS256: { kind: 'hmac', hash: 'sha256' },
  HS384: { kind: 'hmac', hash: 'sha384' },
  HS512: { kind: 'hmac', hash: 'sha512' },
  RS256: { kind: 'rsa', hash: 'sha256' },
  RS384: { kind: 'rsa', hash: 'sha384' },
  RS512: { kind: 'rsa', hash: 'sha512' },
  PS256: { kind: 'rsa', hash: 'sha256', pssSaltBytes: 32 },
  PS384: { kind: 'rsa', hash: 'sha384', pssSaltBytes: 48 },
  PS512: { kind: 'rsa', hash: 'sha512', pssSaltBytes: 64 },
  ES256: { kind: 'ec', hash: 'sha256', bytes: 32 },
  ES384: { kind: 'ec', hash: 'sha384', bytes: 48 },
  ES512: { kind: 'ec', hash: 'sha512', bytes: 66 },
  EdDSA: { kind: 'ed25519' },
  Ed25519: { kind: 'ed25519' },
};

export type CheckSignature = (signingInput: string, signature: Buffer) => boolean;

/**
 * Gives what checks signatures of one algorithm.
 *
 * @param key the shared secret, or a public key in PEM
 * @returns undefined where the key is none for this algorithm
 * @throws Error where the key can't be read
 */
export function createSignatureCheck(algorithm: JwtAlgorithm, key: string): CheckSignature | undefined {
  const scheme = schemes[algorithm];
  if (scheme.kind === 'hmac') {
    const secret = createSecretKey(Buffer.from(key));
    return (input, signature) => {
      const right = createHmac(scheme.hash, secret).update(input).digest();
      return right.length === signature.length && timingSafeEqual(right, signature);
    };
  }
  const publicKey = createPublicKey(key);
  if (!isKeyFor(algorithm, publicKey)) return undefined;
  if (scheme.kind === 'ed25519')
    return (input, signature) => verify(null, Buffer.from(input), publicKey, signature);
  const verifying = withPadding(scheme, publicKey);
  return (input, signature) => {
    // Two numbers of a fixed length, and not the form with lengths of its own that certificates have.
    if (scheme.kind === 'ec' && signature.length !== 2 * scheme.bytes) return false;
    return verify(scheme.hash, Buffer.from(input), verifying, signature);
  };
}

/**
 * Signs.
 *
 * @param key the shared secret, or a private key
 * @returns undefined where the key is none for this algorithm
 */
export function signWith(
  algorithm: JwtAlgorithm,
  key: string | KeyObject,
  input: string,
): Buffer | undefined {
  const scheme = schemes[algorithm];
  if (scheme.kind === 'hmac') {
    return typeof key === 'string' ? createHmac(scheme.hash, key).update(input).digest() : undefined;
  }
  if (typeof key === 'string' || key.type !== 'private' || !isKeyFor(algorithm, key)) return undefined;
  if (scheme.kind === 'ed25519') return sign(null, Buffer.from(input), key);
  return sign(scheme.hash, Buffer.from(input), withPadding(scheme, key));
}

function withPadding(scheme: Extract<Scheme, { kind: 'rsa' | 'ec' }>, key: KeyObject) {
  if (scheme.kind === 'ec') return { key, dsaEncoding: 'ieee-p1363' as const };
  const { pssSaltBytes: saltLength } = scheme;
  if (saltLength === undefined) return { key, padding: constants.RSA_PKCS1_PADDING };
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
}
