/** Reading a request's body: JSON, whatever the content type says, as deployed clients expect. */
import { isUtf8 } from 'node:buffer';
import { readJson } from '../../shared/read-json.ts';
import { cutsOf } from '../core/json-cuts.ts';
import { isDeeperThan } from '../core/json-depth.ts';
import { badJson, notJson } from '../core/matrix-error.ts';
import { parseCut } from '../core/parse-in-turns.ts';

/** Deeper JSON than this is refused: code that walks it would run out of stack. */
const maximumDepth = 512;

/** What is longer is read over several turns. */
export const longBody = 32_768;

const isNotJson = () => notJson('Content not JSON.');
const isTooDeep = () => badJson('JSON is nested too deeply');

/**
 * The JSON of a body; undefined where it is empty.
 *
 * @throws MatrixError 400 `M_NOT_JSON`, `M_BAD_JSON`
 */
export async function parseJsonBody(body: Buffer): Promise<unknown> {
  if (!isUtf8(body)) throw isNotJson();
  const text = body.toString();
  if (text.trim() === '') return undefined;
  const value = body.length > longBody ? await parsedInTurns(text) : parsed(text);
  if (escapesLoneSurrogate(text)) throw badJson('JSON contains invalid Unicode');
  return value;
}

function parsed(text: string): unknown {
  if (isDeeperThan(text, maximumDepth)) throw isTooDeep();
  try {
    return readJson(text);
  } catch {
    throw isNotJson();
  }
}

async function parsedInTurns(text: string): Promise<unknown> {
  const cuts = await cutsOf(text, maximumDepth);
  if (cuts.isTooDeep) throw isTooDeep();
  try {
    return await parseCut(text, cuts);
  } catch {
    throw isNotJson();
  }
}

/**
 * Whether half a character is escaped in JSON, which can neither be stored nor hashed. It is looked for in the text:
 * to walk what the text says takes several times as long where that is many small things.
 */
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

/** Which half of a character an escape stands for, if any: `\uD800` to `\uDBFF` are high, up to `\uDFFF` they are low. */
function surrogateAt(json: string, at: number): 'high' | 'low' | undefined {
  const isSurrogate =
    json[at] === '\\' && json[at + 1] === 'u' && (json[at + 2] === 'd' || json[at + 2] === 'D');
  if (!isSurrogate) return undefined;
  const kind = Number.parseInt(json[at + 3] ?? '', 16);
  if (kind < 8) return undefined;
  return kind < 12 ? 'high' : 'low';
}
