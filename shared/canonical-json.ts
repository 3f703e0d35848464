/**
 * Canonical JSON: a unique form of a JSON value, for hashes and signatures.
 * Matrix specification, appendices, "Canonical JSON".
 */

/** A value that has no canonical form; the message says which and where. */
export class CanonicalJsonError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'CanonicalJsonError';
  }
}

/** Maximum nesting: more could overflow the stack. */
const maximumNesting = 512;

/**
 * Returns the canonical form of a JSON value: keys sorted by code point, no white space, integers only. Encode it as UTF-8.
 *
 * @throws CanonicalJsonError for floats, integers beyond ±(2^53 − 1), −0, lone surrogates, more than 512 levels, and
 *   anything that isn't JSON
 */
export function canonicalJson(value: unknown): string {
  return write(value, 1);
}

function write(value: unknown, level: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      return writeInteger(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (level > maximumNesting) {
        throw new CanonicalJsonError(`Objects and arrays nest deeper than ${maximumNesting} levels`);
      }
      return Array.isArray(value) ? writeArray(value, level) : writeObject(value, level);
    default:
      throw new CanonicalJsonError(`JSON has no ${typeof value}`);
  }
}

function writeString(text: string): string {
  if (!text.isWellFormed()) throw new CanonicalJsonError('Text holds half of a surrogate pair');
  return JSON.stringify(text);
}

function writeInteger(number: number): string {
  if (!Number.isInteger(number)) throw new CanonicalJsonError(`${number} is not an integer`);
  if (!Number.isSafeInteger(number)) throw new CanonicalJsonError(`${number} is beyond ±(2^53 − 1)`);
  if (Object.is(number, -0)) throw new CanonicalJsonError('−0 is not an integer of its own');
  return String(number);
}

function writeArray(items: unknown[], level: number): string {
  let text = '[';
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ',';
    text += write(items[index], level + 1);
  }
  return `${text}]`;
}

function writeObject(object: object, level: number): string {
  let text = '{';
  for (const key of Object.keys(object).sort(byCodePoint)) {
    if (text.length > 1) text += ',';
    text += `${writeString(key)}:${write((object as Record<string, unknown>)[key], level + 1)}`;
  }
  return `${text}}`;
}

/**
 * Compares by code point. JavaScript compares UTF-16 code units, which sorts code points above U+FFFF before
 * U+E000–U+FFFF.
 */
function byCodePoint(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : rank(a) - rank(b);
  }
  return left.length - right.length;
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
const rank = (unit: number) => (isSurrogate(unit) ? 0x10000 : unit);
