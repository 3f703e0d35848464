/** Signatures of clients' keys. Matrix specification, appendices, "Signing JSON". */
import type { JsonObject } from '../../shared/api/common.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { signedText, verifyJson } from '../rooms/signing-key.ts';

export type SignedObject = JsonObject & {
  signatures?: Record<string, Record<string, string>> | undefined;
};

/** 64 bytes in base64, padded. */
const maximumSignature = 88;

/** The signature of a user's key on an object, where it is right. @param keyId with its algorithm */
export function rightSignature(
  object: SignedObject,
  userId: string,
  keyId: string,
  publicKey: string,
): string | undefined {
  const signature = object.signatures?.[userId]?.[keyId];
  if (typeof signature !== 'string' || signature.length > maximumSignature) return undefined;
  try {
    return verifyJson(object, userId, keyId, publicKey) ? signature : undefined;
  } catch {
    // What is no key, or has no canonical form, has signed nothing and is signed by nothing.
    return undefined;
  }
}

/** Whether two objects are the same but for their signatures. */
export function isSameUnsigned(one: SignedObject, other: SignedObject): boolean {
  try {
    return signedText(one) === signedText(other);
  } catch {
    return false;
  }
}

/** Whether two objects are the same with their signatures. */
export function isSame(one: SignedObject, other: SignedObject): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}

export const invalidSignature = (sentence: string) => new MatrixError(400, 'M_INVALID_SIGNATURE', sentence);
