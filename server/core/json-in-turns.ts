import { breathe, isTurnLong } from './event-loop-turns.ts';

/** So many members or items that are not taken apart themselves are written at once. */
const piece = 50;

/**
 * JSON of what may be very long, written over as many turns as that takes.
 *
 * @param levels how many levels of lists and objects are taken apart; what is below them is written at once
 */
export async function jsonInTurns(value: unknown, levels: number): Promise<string> {
  if (isWhole(value, levels)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${await items(value, levels - 1)}]`;
  return `{${await members(value as Record<string, unknown>, levels - 1)}}`;
}

async function items(list: readonly unknown[], levels: number): Promise<string> {
  const texts: string[] = [];
  for (const item of list) {
    if (isTurnLong()) await breathe();
    texts.push(isWhole(item, levels) ? (JSON.stringify(item) ?? 'null') : await jsonInTurns(item, levels));
  }
  await breathe();
  return texts.join();
}

async function members(object: Record<string, unknown>, levels: number): Promise<string> {
  const texts: string[] = [];
  const names = Object.keys(object);
  for (let from = 0; from < names.length; from += piece) {
    let whole: Record<string, unknown> = Object.create(null);
    const flush = () => {
      const text = JSON.stringify(whole).slice(1, -1);
      if (text !== '') texts.push(text);
      whole = Object.create(null);
    };
    for (const name of names.slice(from, from + piece)) {
      const member = object[name];
      if (isWhole(member, levels)) {
        whole[name] = member;
        continue;
      }
      flush();
      texts.push(`${JSON.stringify(name)}:${await jsonInTurns(member, levels)}`);
    }
    flush();
    if (isTurnLong()) await breathe();
  }
  await breathe();
  return texts.join();
}

/** Whether something is written at once. */
const isWhole = (value: unknown, levels: number): boolean =>
  levels === 0 || typeof value !== 'object' || value === null;
