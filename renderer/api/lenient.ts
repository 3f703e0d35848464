/**
 * Reads replies that don't match their documentation, from older versions, other software, or damaged rows. For display
 * only. A change that writes the data back needs the strict `server.get`.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { JsonObject } from '../../shared/api/common.ts';
import { unexpectedReply } from '../../shared/connection.ts';
import { fits, misfit } from '../../shared/fits.ts';
import { isObject } from '../../shared/is-object.ts';
import type { RequestOptions } from '../transport/host.ts';
import type { Server } from '../transport/server.ts';

/** A list entry that can't be read, at its place in the list. */
export class UnexpectedEntry {
  /** The first invalid field; empty if the entry isn't an object. */
  readonly field: string;
  readonly source: unknown;

  constructor(field: string, source: unknown) {
    this.field = field;
    this.source = source;
  }
}

export const isExpected = <Entry>(entry: Entry | UnexpectedEntry): entry is Entry =>
  !(entry instanceof UnexpectedEntry);

type Options = Pick<RequestOptions, 'signal'>;

/** Gets a reply. Invalid optional fields read as missing. */
export async function getLeniently<Schema extends TSchema>(
  server: Server,
  schema: Schema,
  path: string,
  options: Options = {},
): Promise<Static<Schema>> {
  const body = await server.get(Type.Unknown(), path, options);
  const entry = readEntry(schema, body);
  if (!isExpected(entry)) throw unexpectedReply(entry.field);
  return entry;
}

/** Gets a list, reading each entry separately. `total` defaults to its length. */
export async function getList<Schema extends TSchema>(
  server: Pick<Server, 'get'>,
  schema: Schema,
  name: string,
  path: string,
  options: Options = {},
): Promise<{ rows: (Static<Schema> | UnexpectedEntry)[]; total: number }> {
  const body = await server.get(JsonObject, path, options);
  const list = body[name];
  if (!Array.isArray(list)) throw unexpectedReply(name);
  const total = readLeniently(Type.Integer(), body.total ?? body[`total_${name}`]);
  return { rows: readEntries(schema, list), total: typeof total === 'number' ? total : list.length };
}

export const readEntries = <Schema extends TSchema>(schema: Schema, entries: readonly unknown[]) =>
  entries.map((entry) => readEntry(schema, entry));

export function readEntry<Schema extends TSchema>(
  schema: Schema,
  entry: unknown,
): Static<Schema> | UnexpectedEntry {
  const read = readLeniently(schema, entry);
  return fits(schema, read) ? read : new UnexpectedEntry(misfit(schema, read), entry);
}

type Keywords = {
  type?: string | string[];
  anyOf?: TSchema[];
  properties?: Record<string, TSchema>;
  required?: string[];
  items?: TSchema;
};

/** Returns the value converted to the schema if its meaning is clear, otherwise unchanged. */
function readLeniently(schema: TSchema, value: unknown): unknown {
  if (fits(schema, value)) return value;
  const { type, anyOf = [], items } = schema as Keywords;
  const types = [type ?? anyOf.flatMap((one) => (one as Keywords).type ?? [])].flat();
  if (types.includes('object') && isObject(value)) return readObject(schema, value);
  if (types.includes('array') && Array.isArray(value) && items) {
    return (value as unknown[]).map((item) => readLeniently(items, item));
  }
  if (types.includes('boolean') && (value === 0 || value === 1)) return value === 1;
  if ((types.includes('integer') || types.includes('number')) && isNumeral(value)) return Number(value);
  return types.includes('null') ? null : value;
}

const isNumeral = (value: unknown) => typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value);

const validItems = ({ items }: Keywords, field: unknown) =>
  Array.isArray(field) && items ? (field as unknown[]).filter((item) => fits(items, item)) : field;

function readObject(schema: TSchema, value: Record<string, unknown>): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as Keywords;
  const read = { ...value };
  for (const [name, property] of Object.entries(properties)) {
    const field = readLeniently(property, Object.hasOwn(value, name) ? value[name] : undefined);
    const valid = required.includes(name) ? field : validItems(property, field);
    if (fits(property, valid)) read[name] = valid;
    else if (!required.includes(name)) delete read[name];
  }
  return read;
}
