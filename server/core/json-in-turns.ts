import { JsonText } from './json-text.ts';
import { shouldYield, yieldToEventLoop } from './yield.ts';

/** So many members that are not taken apart themselves are written at once. */
const membersAtOnce = 50;

/**
 * JSON of what may be very long, written over as many turns as that takes.
 *
 * @param levels how many levels of lists and objects are taken apart; what is below them is written at once, and a
 *   `JsonText` has to be above that, or right below
 */
export async function jsonInTurns(value: unknown, levels: number): Promise<string> {
  if (isWhole(value, levels)) return JSON.stringify(value);
  const texts = await jsonPieces(value, levels);
  await yieldToEventLoop();
  // Once for everything: each time that is joined is copied.
  return texts.join('');
}

/** The same in pieces one behind the other, as it was written: to put them together takes long where they are long. */
export async function jsonPieces(value: unknown, levels: number): Promise<string[]> {
  const texts: string[] = [];
  if (isWhole(value, levels)) texts.push(JSON.stringify(value));
  else await write(value, levels, texts);
  return texts;
}

async function write(value: unknown, levels: number, texts: string[]): Promise<void> {
  if (value instanceof JsonText) for (const piece of value.pieces) texts.push(piece);
  else if (Array.isArray(value)) await writeList(value, levels - 1, texts);
  else await writeObject(value as Record<string, unknown>, levels - 1, texts);
}

async function writeList(list: readonly unknown[], levels: number, texts: string[]): Promise<void> {
  let before = '[';
  for (const item of list) {
    if (shouldYield()) await yieldToEventLoop();
    if (isWhole(item, levels)) texts.push(before, JSON.stringify(item) ?? 'null');
    else {
      texts.push(before);
      await write(item, levels, texts);
    }
    before = ',';
  }
  texts.push(list.length === 0 ? '[]' : ']');
}

async function writeObject(object: Record<string, unknown>, levels: number, texts: string[]): Promise<void> {
  const names = Object.keys(object);
  let before = '{';
  let whole: Record<string, unknown> = Object.create(null);
  const writeWhole = () => {
    const text = JSON.stringify(whole).slice(1, -1);
    if (text === '') return;
    texts.push(before, text);
    before = ',';
    whole = Object.create(null);
  };
  for (const [index, name] of names.entries()) {
    const member = object[name];
    if (isWhole(member, levels)) whole[name] = member;
    else {
      writeWhole();
      texts.push(`${before}${JSON.stringify(name)}:`);
      before = ',';
      await write(member, levels, texts);
    }
    if ((index + 1) % membersAtOnce !== 0) continue;
    writeWhole();
    if (shouldYield()) await yieldToEventLoop();
  }
  writeWhole();
  texts.push(before === '{' ? '{}' : '}');
}

/** Whether something is written at once. */
const isWhole = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' || value === null || (levels === 0 && !(value instanceof JsonText));
