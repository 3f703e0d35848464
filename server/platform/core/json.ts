/** JSON of untrusted depth, and of values of many megabytes, which must not block the event loop. */
import { CanonicalJsonError, canonicalJson } from '../../../shared/canonical-json.ts';
import { readJson } from '../../../shared/read-json.ts';
import { shouldYield, yieldToEventLoop } from '../concurrency/yield.ts';
import { badJson } from './matrix-error.ts';

/** Whether JSON text has more nested levels than this. Doesn't parse it. */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === backslash) index++;
      else if (unit === quote) inString = false;
    } else if (unit === quote) inString = true;
    else if (opens(unit)) {
      if (++depth > limit) return true;
    } else if (closes(unit)) depth--;
  }
  return false;
}

const [quote, backslash] = [0x22, 0x5c];
const opens = (unit: number) => unit === 0x5b || unit === 0x7b;
const closes = (unit: number) => unit === 0x5d || unit === 0x7d;

/** JSON text that is inserted unchanged. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return readJson(this.text);
  }
}

/** In characters. */
const chunkLength = 65_536;

/** Like `JSON.stringify`. @param levels see `jsonParts` */
export async function stringifyLong(value: unknown, levels: number): Promise<string> {
  let text = '';
  for (const part of jsonParts(value, levels)) {
    text += part;
    if (shouldYield()) await yieldToEventLoop();
  }
  return text;
}

/** Yields the JSON in chunks, for values that may not fit in memory as one text. @param levels see `jsonParts` */
export async function* jsonChunks(value: unknown, levels: number): AsyncGenerator<string> {
  let chunk = '';
  for (const part of jsonParts(value, levels)) {
    chunk += part;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
    await yieldToEventLoop();
  }
  yield chunk;
}

/**
 * @param levels of arrays and objects to serialize item by item; deeper ones are serialized at once. `RawJson` is only
 *   supported in these levels and directly below them.
 */
function* jsonParts(value: unknown, levels: number): Generator<string> {
  if (value instanceof RawJson) yield value.text;
  else if (levels === 0 || typeof value !== 'object' || value === null) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* jsonParts(item, levels - 1);
    }
    yield ']';
  } else {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonParts(member, levels - 1);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** Returns canonical JSON. @throws MatrixError 400 `M_BAD_JSON` for values without such a form, such as fractions */
export function requireCanonical(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof CanonicalJsonError) throw badJson(error.message);
    throw error;
  }
}
