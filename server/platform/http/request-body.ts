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

/** Lone surrogates can't be stored or hashed. Searches the text, because walking many small values takes longer. */
function escapesLoneSurrogate(json: string): boolean {
  let at = json.indexOf('\\');
  while (at !== -1) {
    const half = surrogateAt(json, at);
    if (half === 'low') return true;
    if (half === 'high') {
      at += 6;
      if (surrogateAt(json, at) !== 'low') return true;
    }
    at = json.indexOf('\\', at + (half ? 6 : 2));
  }
  return false;
}

/** `\uD800` to `\uDBFF` are high surrogates, `\uDC00` to `\uDFFF` low ones. */
function surrogateAt(json: string, at: number): 'high' | 'low' | undefined {
  const isSurrogate =
    json[at] === '\\' && json[at + 1] === 'u' && (json[at + 2] === 'd' || json[at + 2] === 'D');
  if (!isSurrogate) return undefined;
  const kind = Number.parseInt(json[at + 3] ?? '', 16);
  if (kind < 8) return undefined;
  return kind < 12 ? 'high' : 'low';
}
