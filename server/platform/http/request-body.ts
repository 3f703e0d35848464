/** Parses request bodies as JSON, with any content type, like Synapse. */
import { isUtf8 } from 'node:buffer';
import { readJson } from '../../../shared/read-json.ts';
import { isDeeperThan } from '../core/json.ts';
import { badJson, notJson } from '../core/matrix-error.ts';

/** Code that walks deeper JSON could run out of stack. */
const maximumDepth = 512;

/**
 * Returns undefined for an empty body.
 *
 * @throws MatrixError 400 `M_NOT_JSON`, `M_BAD_JSON`
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw notJson('Content not JSON.');
  const text = body.toString();
  if (text.trim() === '') return undefined;
  if (isDeeperThan(text, maximumDepth)) throw badJson('JSON is nested too deeply');
  const value = parse(text);
  if (escapesLoneSurrogate(text)) throw badJson('JSON contains invalid Unicode');
  return value;
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    throw notJson('Content not JSON.');
  }
}

/** Whether valid JSON escapes half of a surrogate pair, which can't be stored or hashed. */
const escapesLoneSurrogate = (json: string) =>
  /\\ud[89a-f]/i.test(json.replaceAll(/\\\\|\\ud[89ab]..\\ud[c-f]../gi, ''));
