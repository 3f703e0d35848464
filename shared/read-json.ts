/**
 * Parses JSON. Works around a bug of V8 (still in Node 24): `JSON.parse` reads an escaped property name as another one with
 * a backslash if it has parsed an object with that before: `"\""` as `"\\"`. So it gets no escaped names.
 */

/** The range of a name in a text, with its quotes. */
type TextRange = { start: number; end: number };

/** Like `JSON.parse`, without the bug. @throws SyntaxError */
export function readJson(text: string): ReturnType<typeof JSON.parse> {
  // Throws for invalid JSON.
  const value = JSON.parse(text);
  const places = escapedNames(text);
  return places.length === 0 ? value : readAnew(text, places);
}

/** Finds names with escapes: backslashes only occur in strings, and a string before a colon is a name. */
function escapedNames(json: string): TextRange[] {
  const places: TextRange[] = [];
  let at = json.indexOf('\\');
  while (at !== -1) {
    const end = endOfString(json, at);
    if (isBeforeColon(json, end)) places.push({ start: json.lastIndexOf('"', at), end });
    at = json.indexOf('\\', end);
  }
  return places;
}

/** @param within position of the string's first backslash */
function endOfString(json: string, within: number): number {
  let at = json.indexOf('"', within);
  while (isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at + 1;
}

/** Whether an odd number of backslashes precedes a position. */
function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}

function isBeforeColon(json: string, end: number): boolean {
  let at = end;
  let unit = json.charCodeAt(at);
  // In valid JSON, only white space is below U+0021.
  while (unit <= blank) unit = json.charCodeAt(++at);
  return unit === colon;
}

const [blank, colon, backslash] = [0x20, 0x3a, 0x5c];

/** Parses with unescaped names, and with placeholders for names that need an escape. */
function readAnew(json: string, places: readonly TextRange[]): unknown {
  const mark = absentFrom(json);
  const standIns = new Map<string, string>();
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of places) {
    const name: string = JSON.parse(json.slice(start, end));
    let written = JSON.stringify(name);
    if (written.includes('\\') || name.includes(mark)) {
      const standIn = standIns.get(name) ?? `${mark}${standIns.size}`;
      standIns.set(name, standIn);
      written = `"${standIn}"`;
    }
    pieces.push(json.slice(from, start), written);
    from = end;
  }
  pieces.push(json.slice(from));
  const value: unknown = JSON.parse(pieces.join(''));
  if (standIns.size === 0) return value;
  return withNames(value, new Map([...standIns].map(([name, standIn]) => [standIn, name])));
}

/** Returns a character that the text doesn't contain; usually the same, so that V8 can share object shapes. */
function absentFrom(json: string): string {
  let mark = '\x9f';
  while (json.includes(mark)) mark = `\x9f${Math.random().toString(36).slice(2)}-`;
  return mark;
}

/** Without recursion, because the depth is untrusted. */
function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  const whole = [value];
  const holders: object[] = [whole];
  for (let holder = holders.pop(); holder; holder = holders.pop()) {
    const members = holder as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const held = members[key];
      if (typeof held !== 'object' || held === null) continue;
      const named = renamed(held, names);
      if (named !== held) members[key] = named;
      holders.push(named);
    }
  }
  return whole[0];
}

function renamed(held: object, names: ReadonlyMap<string, string>): object {
  const keys = Object.keys(held);
  if (Array.isArray(held) || !keys.some((key) => names.has(key))) return held;
  const object: Record<string, unknown> = {};
  for (const key of keys) setMember(object, names.get(key) ?? key, (held as Record<string, unknown>)[key]);
  return object;
}

/** Assigning `__proto__` would set the prototype. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
