import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { badJson } from './matrix-error.ts';

/**
 * A body that may be left out, checked against its schema.
 *
 * @throws MatrixError 400 `M_BAD_JSON`
 */
export function optionalBody<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
  const value = Value.Default(schema, body ?? {});
  if (Value.Check(schema, value)) return value;
  const first = Value.Errors(schema, value)[0];
  const name = first?.instancePath.slice(1).replaceAll('/', '.');
  throw badJson(`${name ? `'${name}'` : 'The body'} ${first?.message ?? 'is not valid'}`);
}
