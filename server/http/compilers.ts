/**
 * How Fastify checks requests and writes replies from the schemas of `shared/api/`. Each route is mounted
 * once for every dialect and version, so what a schema compiles to is kept by schema; and it is compiled
 * when it is first needed, which keeps the start-up short.
 */
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { type TSchema, Type } from 'typebox';
import { badJson, invalidParameter, MatrixError, missingParameter, notJson } from '../core/matrix-error.ts';
import { firstFault, hasShape } from '../core/shape.ts';
import { withDefaults } from './defaults.ts';
import { type Overfull, overfullPart } from './names.ts';

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  return (given: unknown) => {
    const isLeftOut = httpPart === 'body' && (given === undefined || given === null);
    if (isLeftOut && !Type.IsOptional(schema)) {
      return { error: notJson('Content must be a JSON object.') };
    }
    const data = isLeftOut ? {} : given;
    const overfull = overfullPart(schema, data);
    if (overfull) return { error: tooManyNames(overfull) };
    const value = withDefaults(schema, httpPart === 'querystring' ? fromQuery(schema, data) : data);
    if (hasShape(schema, value)) return { value };
    return { error: refusal(schema, httpPart, value) };
  };
};

/** Reads a query's strings as what the schema says they are; what can't be read stays for the check to refuse. */
function fromQuery(schema: TSchema, data: unknown): Record<string, unknown> {
  const properties = Type.IsObject(schema) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(data as Record<string, string>).map(([name, text]) => [
      name,
      Object.hasOwn(properties, name) ? readAs(properties[name], text) : text,
    ]),
  );
}

function readAs(schema: TSchema | undefined, text: string): unknown {
  if (schema && Type.IsInteger(schema) && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (schema && Type.IsBoolean(schema) && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function refusal(schema: TSchema, httpPart: string | undefined, value: unknown): MatrixError {
  const first = firstFault(schema, value);
  const path = first?.instancePath ?? '';
  const place = httpPart === 'body' ? 'The body' : 'The request';
  if (first?.keyword === 'required') {
    const names = first.params.requiredProperties.map((name) =>
      `${path}/${name}`.slice(1).replaceAll('/', '.'),
    );
    return missingParameter(`${place} must contain '${names.join("', '")}'`);
  }
  const name = path.slice(1).replaceAll('/', '.');
  const property = Type.IsObject(schema) ? schema.properties[name] : undefined;
  const choices = property && Type.IsUnion(property) ? literalsOf(property) : [];
  const rule =
    choices.length > 0 ? `must be one of ${choices.join(', ')}` : (first?.message ?? 'is not valid');
  if (httpPart === 'body')
    return new MatrixError(400, 'M_BAD_JSON', `${name ? `'${name}'` : 'The body'} ${rule}`);
  return invalidParameter(`The parameter '${name}' ${rule}`);
}

const tooManyNames = ({ path, maximum }: Overfull) =>
  badJson(
    `${path ? `'${path.slice(1).replaceAll('/', '.')}'` : 'The body'} can contain at most ${maximum} names`,
  );

const literalsOf = (union: TSchema & { anyOf: TSchema[] }) =>
  union.anyOf.flatMap((choice) => (Type.IsLiteral(choice) ? [String(choice.const)] : []));

const serializers = new WeakMap<object, (data: unknown) => string>();

export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  return (data: unknown) => {
    let serialize = serializers.get(schema);
    if (!serialize) {
      serialize = fastJsonStringify(schema);
      serializers.set(schema, serialize);
    }
    return serialize(data);
  };
};
