/**
 * Reading JSON that may be long, over as many turns as that takes: the engine's own parser reads a text at once, and one
 * of a megabyte has room for a hundred thousand names.
 */
import { readJson, setMember } from '../../shared/read-json.ts';
import { cutsOf, type JsonCuts, type LongPart } from './json-cuts.ts';
import { yieldToEventLoop } from './yield.ts';

/** The value of a text that is JSON, as `JSON.parse` gives it. @throws SyntaxError where it is none */
export const parseInTurns = async (text: string): Promise<unknown> =>
  parseCut(text, await cutsOf(text, Number.POSITIVE_INFINITY));

/** By value: how many levels of lists and objects in it are long. */
const longLevels = new WeakMap<object, number>();

/** How many levels have to be taken apart so that no piece of a value is long; only of those that were parsed here. */
export const longLevelsOf = (value: object): number => longLevels.get(value) ?? 0;

/** The same of a text that has been looked through. */
export async function parseCut(text: string, { isMatched, root }: JsonCuts): Promise<unknown> {
  if (!isMatched) throw new SyntaxError('Unmatched bracket');
  if (!root) return readJson(text);
  // What stands around it may be nothing but blanks.
  readJson(`${text.slice(0, root.start)}null${text.slice(root.end)}`);
  const value = await parsePart(text, root);
  longLevels.set(value, levelsOf(root));
  return value;
}

const levelsOf = ({ within }: LongPart): number => 1 + Math.max(0, ...[...within.values()].map(levelsOf));

async function parsePart(text: string, { start, end, cuts, within }: LongPart): Promise<object> {
  const isList = text[start] === '[';
  const list: unknown[] = [];
  const object: Record<string, unknown> = {};
  let from = start + 1;
  for (const to of [...cuts, end - 1]) {
    await yieldToEventLoop();
    const long = within.get(from);
    const piece = long
      ? `${text.slice(from, long.start)}null${text.slice(long.end, to)}`
      : text.slice(from, to);
    const value = long && (await parsePart(text, long));
    let isEmpty = true;
    if (isList) {
      const items: unknown[] = readJson(`[${piece}]`);
      isEmpty = items.length === 0;
      for (const item of items) list.push(long ? value : item);
    } else {
      const members: Record<string, unknown> = readJson(`{${piece}}`);
      for (const name of Object.keys(members)) {
        isEmpty = false;
        setMember(object, name, long ? value : members[name]);
      }
    }
    if (isEmpty && cuts.length > 0) throw new SyntaxError('Missing value next to a comma');
    from = to + 1;
  }
  return isList ? list : object;
}
