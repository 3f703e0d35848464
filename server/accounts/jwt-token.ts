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

/**
 * As browsers decode base64, which libraries for such tokens do, too: white space is left out, and padding may stand
 * there. The signature is over the text as it came, so none of this makes another token of one that was signed.
 */
function fromBase64url(text: string): Buffer | undefined {
  let digits = text;
  if (!/^[\w-]*$/.test(text)) {
    digits = text.replaceAll(/[\t\n\f\r ]/g, '');
    if (digits.length % 4 === 0) digits = digits.replace(/={1,2}$/, '');
    if (!/^[\w-]*$/.test(digits)) return undefined;
  }
  return digits.length % 4 === 1 ? undefined : Buffer.from(digits, 'base64url');
}
