import { breathe, eachInTurns } from './event-loop-turns.ts';

/**
 * JSON of what may be megalength, written over as many turns as that takes.
 *
 * @param levels how many levels of lists and objects are taken apart; what is below them is written at once
 */
export async function jsonInTurns(value: unknown, levels: number): Promise<string> {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const texts: string[] = [];
  if (Array.isArray(value)) {
    if (levels === 1) await eachInTurns(value, (item) => texts.push(JSON.stringify(item)));
    else for (const item of value) texts.push(await jsonInTurns(item, levels - 1));
    await breathe();
    return `[${texts.join()}]`;
  }
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    await breathe();
    texts.push(`${JSON.stringify(name)}:${await jsonInTurns(member, levels - 1)}`);
  }
  await breathe();
  return `{${texts.join()}}`;
}
