/** Making JSON Web Tokens and keys for them, for whoever tries out a login. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { JsonObject } from '../../shared/api/common.ts';
import { readJson } from '../../shared/read-json.ts';
import type { JwtAlgorithm, JwtKeys } from '../../shared/workbench/jwt.ts';
import { invalidParameter } from '../core/matrix-error.ts';
import { signWith } from './jwt-signature.ts';

export type TokenToMint = {
  claims: JsonObject;
  /** `none` leaves the signature empty. */
  algorithm: JwtAlgorithm | 'none';
  /** The shared secret, or a private key in PEM or as a JWK. */
  key: string;
  /** Goes before `alg` and `typ`. */
  header?: JsonObject | undefined;
};

/**
 * Signs claims, whatever they are: what a server refuses can be made, too.
 *
 * @throws MatrixError 400 `M_INVALID_PARAM` where the key can't sign with the algorithm
 */
export function mintToken({ claims, algorithm, key, header = {} }: TokenToMint): string {
  const input = [{ alg: algorithm, typ: 'JWT', ...header }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  if (algorithm === 'none') return `${input}.`;
  const signature = signWith(algorithm, algorithm.startsWith('HS') ? key : privateKey(key), input);
  if (!signature) throw invalidParameter(`This key can't sign with ${algorithm}`);
  return `${input}.${signature.toString('base64url')}`;
}

/** As people have them at hand: in PEM, indented or with `\n` for its line ends as in files of settings, or as a JWK. */
function privateKey(text: string): KeyObject {
  try {
    if (text.trimStart().startsWith('{')) return createPrivateKey({ key: readJson(text), format: 'jwk' });
    const lines = text.replaceAll('\\n', '\n').trim().split('\n');
    return createPrivateKey(lines.map((line) => line.trim()).join('\n'));
  } catch {
    throw invalidParameter('Key must be a private key in PEM (-----BEGIN PRIVATE KEY-----) or JWK format');
  }
}

const curves: Record<string, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** Makes what signs with an algorithm, and what checks it. */
export function makeKeys(algorithm: JwtAlgorithm): JwtKeys {
  if (algorithm.startsWith('HS'))
    return { secret: randomBytes(Number(algorithm.slice(2)) / 8).toString('base64url') };
  const { privateKey, publicKey } = pairFor(algorithm);
  return {
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

function pairFor(algorithm: JwtAlgorithm) {
  const namedCurve = curves[algorithm];
  if (namedCurve !== undefined) return generateKeyPairSync('ec', { namedCurve });
  if (algorithm.startsWith('Ed')) return generateKeyPairSync('ed25519');
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}
