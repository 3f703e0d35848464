/** Decoding JSON Web Tokens without verifying them. */
import type { JsonObject } from '../../shared/api/common.ts';
import { isObject } from '../../shared/is-object.ts';
import { readJson } from '../../shared/read-json.ts';
import { isDeeperThan } from '../core/json-depth.ts';

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
