/** A JSON Web Token taken apart, in the compact form of RFC 7515; nothing of it is believed yet. */
import type { JsonObject } from '../../shared/api/common.ts';
import { readJson } from '../../shared/read-json.ts';
import { isDeeperThan } from '../core/json-depth.ts';

export type OpenedToken = {
  /** What is signed. */
  signingInput: string;
  header: JsonObject | undefined;
  signature: Buffer | undefined;
  /** Undefined where the payload is not base64url. */
  payload: Buffer | undefined;
};

/** @returns undefined for what has not got three parts */
export function openToken(token: string): OpenedToken | undefined {
  const parts = token.split('.', 4);
  const [header, payload, signature] = parts;
  if (parts.length !== 3 || header === undefined || payload === undefined || signature === undefined) {
    return undefined;
  }
  return {
    signingInput: `${header}.${payload}`,
    header: readObject(fromBase64url(header)),
    signature: fromBase64url(signature),
    payload: fromBase64url(payload),
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Nothing that anybody claims is nested more deeply, and code that walks it would run out of stack. */
const maximumDepth = 512;

/** A JSON object in UTF-8, or undefined for anything else. Of a name that stands there twice the last one counts. */
export function readObject(bytes: Buffer | undefined): JsonObject | undefined {
  if (!bytes) return undefined;
  try {
    const text = utf8.decode(bytes);
    if (isDeeperThan(text, maximumDepth)) return undefined;
    const value: unknown = readJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Strict base64url without padding (RFC 7515, section 2), as authlib, and so Synapse, reads it. */
const fromBase64url = (text: string): Buffer | undefined =>
  /^[\w-]*$/.test(text) && text.length % 4 !== 1 ? Buffer.from(text, 'base64url') : undefined;
