import type { Static, TArray, TObject, TSchema } from 'typebox';
import { fits } from '../shared/fits.ts';
import { readJson } from '../shared/read-json.ts';

export type SearchReader<Search> = (search: Record<string, unknown>) => Search;

/**
 * Creates a reader for a screen's search parameters. Addresses are typed, truncated and shared, so invalid values are
 * dropped instead of failing.
 *
 * @param schema an object of optional fields
 */
export const searchOf =
  <Schema extends TObject>(schema: Schema): SearchReader<Static<Schema>> =>
  (search) => {
    // Explicitly undefined: the router would keep the raw value of a missing key.
    const read = Object.entries(schema.properties)
      .filter(([name]) => name in search)
      .map(([name, field]) => [name, coerced(field, search[name])] as const);
    return Object.fromEntries(read) as Static<Schema>;
  };

/** Parses a search value as JSON, but only canonical numbers, so that `1.100` stays text. */
export function readValue(text: string): unknown {
  const value = readJson(text);
  return typeof value === 'number' && String(value) !== text ? text : value;
}

function coerced(field: TSchema, value: unknown): unknown {
  if ('items' in field) {
    const valid = [value].flat().filter((item) => fits((field as TArray).items, item));
    return valid.length > 0 ? valid : undefined;
  }
  if (fits(field, value)) return value;
  // `?resource=12` is parsed as a number, but the field is text.
  return typeof value === 'number' && fits(field, String(value)) ? String(value) : undefined;
}
