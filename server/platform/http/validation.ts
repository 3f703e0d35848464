/**
 * Validates requests and serializes replies by the schemas of `shared/api/`. Schemas are compiled when they are first
 * needed, which keeps the start short, and cached, as each route is mounted once for every dialect and version.
 */
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import { isObject } from '../../../shared/is-object.ts';
import { invalidParameter, MatrixError, missingParameter, notJson } from '../core/matrix-error.ts';

export const validatorCompiler: FastifySchemaCompiler<TSchema> =
  ({ schema, httpPart }) =>
  (given: unknown) => {
    const isMissing = httpPart === 'body' && (given === undefined || given === null);
    if (isMissing && !Type.IsOptional(schema)) return { error: notJson('Content must be a JSON object.') };
    const data = isMissing ? {} : given;
    const value = withDefaults(schema, httpPart === 'querystring' ? parseQuery(schema, data) : data);
    return matchesSchema(schema, value) ? { value } : { error: refusal(schema, httpPart, value) };
  };

const serializers = new WeakMap<object, (data: unknown) => string>();

export const serializerCompiler: FastifySerializerCompiler<TSchema> =
  ({ schema }) =>
  (data: unknown) => {
    let serialize = serializers.get(schema);
    if (!serialize) {
      serialize = fastJsonStringify(schema);
      serializers.set(schema, serialize);
    }
    return serialize(data);
  };

const validators = new WeakMap<TSchema, Validator>();

export function matchesSchema<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): value is Static<Schema> {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value);
}

/** Fills in defaults, objects and lists in place. `Value.Default` would walk and copy everything that was sent. */
function withDefaults(schema: TSchema, value: unknown): unknown {
  const filled = value === undefined && 'default' in schema ? structuredClone(schema.default) : value;
  if (Type.IsArray(schema) && Array.isArray(filled)) {
    const { items, maxItems = Number.POSITIVE_INFINITY } = schema as { items: TSchema; maxItems?: number };
    if (Type.IsObject(items) && filled.length <= maxItems)
      for (const item of filled) withDefaults(items, item);
  }
  if (Type.IsObject(schema) && isObject(filled)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      const part = withDefaults(property, Object.hasOwn(filled, name) ? filled[name] : undefined);
      if (part !== undefined) filled[name] = part;
    }
  }
  return filled;
}

/** Converts a query's numbers and booleans. Other strings stay for the check to refuse. */
function parseQuery(schema: TSchema, data: unknown): Record<string, unknown> {
  const properties = Type.IsObject(schema) ? schema.properties : {};
  const parameters = Object.entries(data as Record<string, string>);
  return Object.fromEntries(
    parameters.map(([name, text]) => [
      name,
      Object.hasOwn(properties, name) ? parseParameter(properties[name], text) : text,
    ]),
  );
}

function parseParameter(schema: TSchema | undefined, text: string): unknown {
  if (schema && Type.IsInteger(schema) && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (schema && Type.IsBoolean(schema) && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** The keywords of JSON Schema about parts of a value. */
type PartKeywords = {
  properties?: Record<string, TSchema>;
  additionalProperties?: TSchema | boolean;
  items?: TSchema | TSchema[];
  anyOf?: TSchema[];
};

/**
 * Returns the first fault of an invalid value; of a union, that of its first choice. `Value.Errors` would visit every
 * name and item of the value, which takes hundreds of milliseconds for a large one.
 */
export function firstFault(
  schema: TSchema,
  value: unknown,
  path = '',
): TLocalizedValidationError | undefined {
  const { properties, additionalProperties, items, anyOf, ...own }: TSchema & PartKeywords = schema;
  const [fault] = Value.Errors(own, value);
  if (fault) return { ...fault, instancePath: path };
  if (anyOf?.[0]) return firstFault(anyOf[0], value, path);
  for (const [name, part, partSchema] of partsOf({ properties, additionalProperties, items }, value)) {
    if (!matchesSchema(partSchema, part))
      return firstFault(partSchema, part, `${path}/${escapePointer(name)}`);
  }
  return undefined;
}

/** Schema that matches nothing. */
const nothing: TSchema = { not: {} };

function* partsOf(
  { properties = {}, additionalProperties = true, items }: PartKeywords,
  value: unknown,
): Generator<[name: string, part: unknown, schema: TSchema]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const schema = Array.isArray(items) ? (items[index] ?? nothing) : items;
      if (schema) yield [String(index), item, schema];
    }
  } else if (isObject(value)) {
    if (additionalProperties !== true) {
      for (const name in value) {
        if (!Object.hasOwn(properties, name)) yield [name, value[name], additionalProperties || nothing];
      }
    }
    for (const [name, schema] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) yield [name, value[name], schema];
    }
  }
}

/** A name as a part of a JSON pointer, RFC 6901. */
const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

function refusal(schema: TSchema, httpPart: string | undefined, value: unknown): MatrixError {
  const fault = firstFault(schema, value);
  const path = fault?.instancePath ?? '';
  const dotted = (pointer: string) => pointer.slice(1).replaceAll('/', '.');
  const what = httpPart === 'body' ? 'The body' : 'The request';
  if (fault?.keyword === 'required') {
    const names = fault.params.requiredProperties.map((name) => dotted(`${path}/${name}`));
    return missingParameter(`${what} must contain '${names.join("', '")}'`);
  }
  const name = dotted(path);
  const property = Type.IsObject(schema) ? schema.properties[name] : undefined;
  const choices = property && Type.IsUnion(property) ? literalsOf(property) : [];
  const rule =
    choices.length > 0 ? `must be one of ${choices.join(', ')}` : (fault?.message ?? 'is not valid');
  if (httpPart !== 'body') return invalidParameter(`The parameter '${name}' ${rule}`);
  return new MatrixError(400, 'M_BAD_JSON', `${name ? `'${name}'` : 'The body'} ${rule}`);
}

const literalsOf = (union: TSchema & { anyOf: TSchema[] }) =>
  union.anyOf.flatMap((choice) => (Type.IsLiteral(choice) ? [String(choice.const)] : []));
