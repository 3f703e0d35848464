/** Decodes JSON Web Tokens without verifying them; mints tokens and generates keys to try out a login. */
import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { base64url, CompactSign, errors, exportPKCS8, exportSPKI, generateKeyPair } from 'jose';
import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { JwtAlgorithm, JwtKeys } from '../../../shared/workbench/jwt.ts';
import { isDeeperThan } from '../../platform/core/json.ts';
import { invalidParameter } from '../../platform/core/matrix-error.ts';

export type DecodedToken = {
  /** Undefined if it isn't a base64url-encoded JSON object; so is `claims`. */
  header: JsonObject | undefined;
  claims: JsonObject | undefined;
  /** All three parts are base64url without padding or white space (RFC 7515, section 2), which jose doesn't require. */
  isBase64url: boolean;
};

/** Returns undefined if the token doesn't have three parts. */
export function decodeToken(token: string): DecodedToken | undefined {
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  const [header, claims] = parts.map(decodeObject);
  // RFC 7797, section 7: the claims of a token must be encoded.
  const isEncoded = header?.crit === undefined || header.b64 !== false;
  return { header, claims: isEncoded ? claims : undefined, isBase64url: parts.every(isBase64url) };
}

const isBase64url = (text: string) => /^[\w-]*$/.test(text) && text.length % 4 !== 1;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Deeper objects would overflow the stack of code that walks them. */
const maxDepth = 512;

function decodeObject(part: string): JsonObject | undefined {
  if (!isBase64url(part)) return undefined;
  try {
    const text = utf8.decode(Buffer.from(part, 'base64url'));
    if (isDeeperThan(text, maxDepth)) return undefined;
    const value: unknown = readJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type TokenToMint = {
  claims: JsonObject;
  /** `none` leaves the signature empty. */
  algorithm: JwtAlgorithm | 'none';
  /** The shared secret, or a private key in PEM or JWK format. */
  key: string;
  /** Further header parameters. */
  header?: JsonObject | undefined;
};

/**
 * Signs any claims, including those that a login refuses.
 *
 * @throws MatrixError 400 `M_INVALID_PARAM` if the key can't sign with the algorithm
 */
export async function mintToken({ claims, algorithm, key, header }: TokenToMint): Promise<string> {
  const protectedHeader = { typ: 'JWT', ...header, alg: algorithm };
  const payload = JSON.stringify(claims);
  if (algorithm === 'none') {
    return `${base64url.encode(JSON.stringify(protectedHeader))}.${base64url.encode(payload)}.`;
  }
  const signingKey = algorithm.startsWith('HS') ? Buffer.from(key) : readPrivateKey(key);
  try {
    return await new CompactSign(Buffer.from(payload)).setProtectedHeader(protectedHeader).sign(signingKey);
  } catch (error) {
    if (error instanceof errors.JOSEError) throw invalidParameter(`Invalid header: ${error.message}`);
    throw invalidParameter(`This key can't sign with ${algorithm}`);
  }
}

/** Reads PEM, also if it is indented or has `\n` for line breaks as in configuration files, or JWK. */
function readPrivateKey(text: string): KeyObject {
  try {
    if (text.trimStart().startsWith('{')) return createPrivateKey({ key: readJson(text), format: 'jwk' });
    const lines = text.replaceAll('\\n', '\n').trim().split('\n');
    return createPrivateKey(lines.map((line) => line.trim()).join('\n'));
  } catch {
    throw invalidParameter('Key must be a private key in PEM (-----BEGIN PRIVATE KEY-----) or JWK format');
  }
}

/** Generates a shared secret or a key pair for the algorithm. */
export async function generateKeys(algorithm: JwtAlgorithm): Promise<JwtKeys> {
  if (algorithm.startsWith('HS')) {
    return { secret: randomBytes(Number(algorithm.slice(2)) / 8).toString('base64url') };
  }
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { private_key: await exportPKCS8(privateKey), public_key: await exportSPKI(publicKey) };
}
