/** Reading a request's body: JSON, whatever the content type says, as deployed clients expect. */
import { isUtf8 } from 'node:buffer';
import { isDeeperThan } from '../core/json-depth.ts';
import { badJson, notJson } from '../core/matrix-error.ts';

/** Deeper JSON than this is refused: code that walks it would run out of stack. */
const maximumDepth = 512;

/**
 * The JSON of a body; undefined where it is empty.
 *
 * @throws MatrixError 400 `M_NOT_JSON`, `M_BAD_JSON`
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw notJson('Content not JSON.');
  const text = body.toString();
  if (text.trim() === '') return undefined;
  if (isDeeperThan(text, maximumDepth)) throw badJson('The JSON is nested too deeply');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson('Content not JSON.');
  }
  if (hasLoneSurrogate(text, value)) throw badJson('The JSON holds text that is not valid Unicode');
  return value;
}

/** Half a character can be escaped in JSON, but neither stored nor hashed. */
function hasLoneSurrogate(text: string, value: unknown): boolean {
  return /\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item));
}
