/** This server's signing key, and signatures. Matrix specification, appendices, "Signing JSON". */
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  randomInt,
  sign,
  verify,
} from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonObject } from '../../../shared/api/common.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { readRegularFile } from '../../platform/config/named-file.ts';
import { isWithoutLinks } from '../../platform/core/files.ts';
import { createPrivateDirectory } from '../../platform/database/sqlite/database-files.ts';

export type SigningKey = {
  /** With the algorithm, such as `ed25519:a_AbCd`. */
  keyId: string;
  /** Unpadded base64. */
  publicKey: string;
  /** Returns the signature of the UTF-8 bytes as unpadded base64. */
  sign(text: string): string;
};

/**
 * Reads the key from its file, in Synapse's format: `ed25519 <id> <seed>`. Creates a missing file, readable by its owner
 * only.
 *
 * @throws ConfigurationError if the file can't be read or contains no such key
 */
export async function loadSigningKey(path: string): Promise<SigningKey> {
  const text = (await readIfThere(path)) ?? (await makeKeyFile(path));
  // Older keys may follow on further lines.
  const [algorithm, id, seed] = text.trim().split('\n', 1).join().trim().split(/\s+/);
  // 32 bytes in base64. `Buffer.from` would skip other characters.
  const isSeed = /^[A-Za-z0-9+/]{43}=?$/.test(seed ?? '');
  if (algorithm !== 'ed25519' || !id || !/^\w+$/.test(id) || !seed || !isSeed) {
    throw new ConfigurationError(
      'signing_key_path',
      `no signing key in ${path}; the format is "ed25519 <id> <seed>"`,
      'restore the file from a backup or delete it to generate a new key',
    );
  }
  return signingKey(id, Buffer.from(seed, 'base64'));
}

/** @param seed 32 bytes */
export function signingKey(id: string, seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    keyId: `ed25519:${id}`,
    publicKey: unpaddedBase64(Buffer.from(x, 'base64url')),
    sign: (text) => unpaddedBase64(sign(null, Buffer.from(text), privateKey)),
  };
}

/**
 * Derives a secret that all processes with the key share: the signature of a text that is not JSON, so it is never
 * published.
 */
export const sharedSecret = (key: SigningKey, purpose: string): string => key.sign(`gatehouse: ${purpose}`);

/** Adds this server's signature to an object. It doesn't cover `unsigned`. */
export function signJson<Signed extends JsonObject>(object: Signed, serverName: string, key: SigningKey) {
  const signatures = (object.signatures ?? {}) as Record<string, Record<string, string>>;
  const own = { ...signatures[serverName], [key.keyId]: key.sign(signedText(object)) };
  return { ...object, signatures: { ...signatures, [serverName]: own } };
}

/** @param publicKey in base64, padded or not */
export function verifyJson(
  object: JsonObject,
  serverName: string,
  keyId: string,
  publicKey: string,
): boolean {
  const signatures = object.signatures as Record<string, Record<string, string>> | undefined;
  const signature = signatures?.[serverName]?.[keyId];
  if (!signature) return false;
  const text = Buffer.from(signedText(object));
  return verify(null, text, publicKeyObject(publicKey), Buffer.from(signature, 'base64'));
}

/** Returns the text that a signature covers. */
export function signedText({ signatures: _, unsigned: __, ...signed }: JsonObject): string {
  return canonicalJson(signed);
}

export const unpaddedBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Precedes an Ed25519 seed in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function publicKeyObject(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path)).toString();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ConfigurationError(
      'signing_key_path',
      `can't read ${path} (${code})`,
      'choose a file that this user can read or create',
    );
  }
}

/** Writes a temporary file and links it, so that no process reads half a key and the first process wins. */
async function makeKeyFile(path: string): Promise<string> {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const id = `a_${Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')}`;
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  createPrivateDirectory(dirname(path), 'signing_key_path');
  const text = `ed25519 ${id} ${unpaddedBase64(randomBytes(32))}\n`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  try {
    await link(temporary, path);
  } catch (error) {
    if (isWithoutLinks(error)) await writeFile(path, text, { mode: 0o600, flush: true, flag: 'wx' });
    else if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary);
  }
  return readFile(path, 'utf8');
}
