/**
 * Verifies hashes and signatures of events. Matrix specification, server-server API, "Signing events". Pure: the caller
 * passes in the cryptography.
 */

import type { JsonObject } from './api/common.ts';
import { CanonicalJsonError, canonicalJson } from './canonical-json.ts';
import { isObject } from './is-object.ts';
import { redactEvent, roomVersions } from './redaction.ts';

/** It can't be checked; `why` is a clause with values. */
type Impossible = { result: 'impossible'; why: string; values?: Record<string, string> };

export type HashCheck =
  | { result: 'holds' }
  | { result: 'differs' }
  /** Redaction removes hashed content. */
  | { result: 'redacted' }
  | Impossible;

export type SignatureCheck =
  | { result: 'holds'; server: string; keyId: string }
  | { result: 'differs'; server: string; keyId: string }
  | { result: 'key_not_held'; server: string }
  | Impossible;

/** A server's keys from `GET …/key/v2/server`, as unpadded Base64 by key ID. */
type HeldKeys = { server: string; keys: Readonly<Record<string, string>> };

/** Checks the content hash, which covers everything except fields that servers add. */
export async function checkContentHash(subtle: SubtleCrypto, event: JsonObject): Promise<HashCheck> {
  const claimed = isObject(event.hashes) ? event.hashes.sha256 : undefined;
  if (typeof claimed !== 'string') return { result: 'impossible', why: /*i18n*/ 'no hash' };
  const { unsigned, signatures: _signatures, hashes: _hashes, ...hashed } = event;
  try {
    const digest = await subtle.digest('SHA-256', bytesOf(canonicalJson(hashed)));
    const expected = decodeBase64(claimed);
    if (expected && sameBytes(new Uint8Array(digest), expected)) return { result: 'holds' };
    return { result: wasRedacted(unsigned) ? 'redacted' : 'differs' };
  } catch (error) {
    if (error instanceof CanonicalJsonError) return uncanonical(error);
    throw error;
  }
}

/**
 * Checks the signature of the sender's server. The signed fields depend on the room version, which reports don't
 * contain: the signature is valid if it matches the rules of any version.
 */
export async function checkSignature(
  subtle: SubtleCrypto,
  event: JsonObject,
  held: HeldKeys,
): Promise<SignatureCheck> {
  const server = typeof event.sender === 'string' ? serverOf(event.sender) : undefined;
  if (!server) return { result: 'impossible', why: /*i18n*/ 'no sender' };
  const ofServer = isObject(event.signatures) ? event.signatures[server] : undefined;
  if (!isObject(ofServer) || Object.keys(ofServer).length === 0) {
    return {
      result: 'impossible',
      why: /*i18n*/ 'no signature by {server}',
      values: { server },
    };
  }
  if (server !== held.server) return { result: 'key_not_held', server };

  const keyId = Object.keys(ofServer).find((id) => Object.hasOwn(held.keys, id));
  const signature = keyId && decodeBase64(ofServer[keyId]);
  const key = keyId && decodeBase64(held.keys[keyId]);
  if (!keyId || !key) return { result: 'key_not_held', server };
  if (!signature) return { result: 'differs', server, keyId };

  try {
    const publicKey = await subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
    for (const bytes of signedForms(event)) {
      if (await subtle.verify('Ed25519', publicKey, signature, bytes)) {
        return { result: 'holds', server, keyId };
      }
    }
    return { result: 'differs', server, keyId };
  } catch (error) {
    if (error instanceof CanonicalJsonError) return uncanonical(error);
    throw error;
  }
}

const uncanonical = ({ message }: CanonicalJsonError): Impossible => ({
  result: 'impossible',
  why: /*i18n*/ 'not canonical JSON ({problem})',
  values: { problem: message },
});

/** Returns the bytes that are signed by the rules of each room version, without duplicates. */
function signedForms(event: JsonObject): Uint8Array<ArrayBuffer>[] {
  const forms = roomVersions.map((version) => {
    const { signatures: _, unsigned: __, ...signed } = redactEvent(event, version);
    return canonicalJson(signed);
  });
  return [...new Set(forms)].map(bytesOf);
}

const wasRedacted = (unsigned: unknown) =>
  isObject(unsigned) && (unsigned.redacted_because !== undefined || unsigned.redacted_by !== undefined);

function serverOf(userId: string): string | undefined {
  const colon = userId.indexOf(':');
  return colon === -1 ? undefined : userId.slice(colon + 1);
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Decodes padded or unpadded Base64 of either alphabet; undefined if invalid. */
function decodeBase64(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string' || !/^[\w+/-]*={0,2}$/.test(text)) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', ''));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
