/** JSON of values that may be many megabytes, serialized without blocking the event loop. */
import { readJson } from '../../shared/read-json.ts';
import { shouldYield, yieldToEventLoop } from './yield.ts';

/** JSON text that is inserted as it is. */
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
 * @param levels of nested arrays and objects that are serialized item by item; deeper ones at once. `RawJson` may stand
 *   in these levels and right below them.
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
