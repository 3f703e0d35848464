import type { Static, TArray, TObject, TSchema } from 'typebox';
import { fits } from '../shared/fits.ts';
import { readJson } from '../shared/read-json.ts';

export type SearchReader<Search> = (search: Record<string, unknown>) => Search;

/**
 * Reads a screen's part of the address by a schema of optional fields. An address is typed, cut off and sent
 * around: what can't be meant is left out, and the screen opens with the rest.
 */
export const searchOf =
  <Schema extends TObject>(schema: Schema): SearchReader<Static<Schema>> =>
  (search) => {
    // Undefined has to be said: the router keeps what the address has under a name that isn't given.
    const read = Object.entries(schema.properties)
      .filter(([name]) => name in search)
      .map(([name, field]) => [name, meant(field, search[name])] as const);
    return Object.fromEntries(read) as Static<Schema>;
  };

/** Reads a value of the address: a number is one only if it is written as numbers are, so that `1.100` stays what it is. */
export function readValue(text: string): unknown {
  const value = readJson(text);
  return typeof value === 'number' && String(value) !== text ? text : value;
}

function meant(field: TSchema, value: unknown): unknown {
  if ('items' in field) {
    const fitting = [value].flat().filter((item) => fits((field as TArray).items, item));
    return fitting.length > 0 ? fitting : undefined;
  }
  if (fits(field, value)) return value;
  // `?resource=12` reads as a number, and is meant as text.
  return typeof value === 'number' && fits(field, String(value)) ? String(value) : undefined;
}
