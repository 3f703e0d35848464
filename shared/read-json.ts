/**
 * Reading JSON. The engine's own `JSON.parse` takes a name that is written with an escape for another one, which holds
 * a backslash, where an object with that other one was read before: `"\""` for `"\\"`. So it is shown no such names.
 */

/** Where a name stands in a text, from its first quote to behind its last. */
type Place = { start: number; end: number };

/** The value of a text that is JSON, as `JSON.parse` should give it. @throws SyntaxError where it is none */
export function readJson(text: string): ReturnType<typeof JSON.parse> {
  // What is none is refused here.
  const value = JSON.parse(text);
  const places = escapedNames(text);
  return places.length === 0 ? value : readAnew(text, places);
}

/** Backslashes stand in strings alone, and a string that a colon comes after is a name. */
function escapedNames(json: string): Place[] {
  const places: Place[] = [];
  let at = json.indexOf('\\');
  while (at !== -1) {
    const end = endOfString(json, at);
    if (isBeforeColon(json, end)) places.push({ start: json.lastIndexOf('"', at), end });
    at = json.indexOf('\\', end);
  }
  return places;
}

/** @param within where the first backslash of the string stands */
function endOfString(json: string, within: number): number {
  let at = json.indexOf('"', within);
  while (isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at + 1;
}

/** After every other backslash of those that stand before it, however many. */
function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}

function isBeforeColon(json: string, end: number): boolean {
  let at = end;
  let unit = json.charCodeAt(at);
  // Blanks are all that JSON has below them.
  while (unit <= blank) unit = json.charCodeAt(++at);
  return unit === colon;
}

const [blank, colon, backslash] = [0x20, 0x3a, 0x5c];

/** Where a name can't be written without an escape, another one stands for it until all is read. */
function readAnew(json: string, places: readonly Place[]): unknown {
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

/** The same one wherever that will do, for objects with the same names share what the engine knows of them. */
function absentFrom(json: string): string {
  let mark = '\x9f';
  while (json.includes(mark)) mark = `\x9f${Math.random().toString(36).slice(2)}-`;
  return mark;
}

/** However deep, without calling itself. */
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

/** By an assignment that name would be something else. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
