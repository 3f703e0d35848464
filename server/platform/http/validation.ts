/**
 * Finds what of a request has more names than it may. A body has room for tens of thousands of them, and whatever
 * walks through those holds the loop for long: so it is looked for before anything else is checked.
 */

import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { type TSchema, Type } from 'typebox';
import { isObject } from '../../../shared/is-object.ts';
import { badJson, invalidParameter, MatrixError, missingParameter, notJson } from '../core/matrix-error.ts';
import { firstFault, hasShape } from '../core/shape.ts';

/** An object with too many names: a JSON pointer to it, and how many it may have. */
type Overfull = { path: string; maximum: number };

type Look = (value: unknown, path: string) => Overfull | undefined;

const looks = new WeakMap<TSchema, { look: Look | undefined }>();

/** The first object with more names than its schema lets it have. */
const overfullPart = (schema: TSchema, value: unknown): Overfull | undefined => lookOf(schema)?.(value, '');

/** What looks at the values of a schema, made when it is first needed; undefined where nothing has a bound. */
function lookOf(schema: TSchema): Look | undefined {
  let made = looks.get(schema);
  if (!made) {
    made = { look: makeLook(schema) };
    looks.set(schema, made);
  }
  return made.look;
}

function makeLook(schema: TSchema): Look | undefined {
  if (Type.IsUnion(schema)) return firstOf(schema.anyOf.flatMap((choice) => lookOf(choice) ?? []));
  if (Type.IsObject(schema)) {
    return firstOf(
      Object.entries(schema.properties).flatMap(([name, property]): Look | Look[] => {
        const look = lookOf(property);
        if (!look) return [];
        return (value, path) =>
          isObject(value) && Object.hasOwn(value, name) ? look(value[name], `${path}/${name}`) : undefined;
      }),
    );
  }
  return lookAtNames(schema);
}

function lookAtNames({
  maxProperties: maximum,
  additionalProperties: each,
}: TSchema & { maxProperties?: number; additionalProperties?: TSchema | boolean }): Look | undefined {
  const within = typeof each === 'object' ? lookOf(each) : undefined;
  if (maximum === undefined && !within) return undefined;
  return (value, path) => {
    if (!isObject(value)) return undefined;
    if (maximum !== undefined && hasMoreNames(value, maximum)) return { path, maximum };
    if (!within) return undefined;
    for (const name in value) {
      const found = within(value[name], `${path}/${name}`);
      if (found) return found;
    }
    return undefined;
  };
}

function firstOf(all: readonly Look[]): Look | undefined {
  if (all.length < 2) return all[0];
  return (value, path) => {
    for (const look of all) {
      const found = look(value, path);
      if (found) return found;
    }
    return undefined;
  };
}

function hasMoreNames(value: object, maximum: number): boolean {
  let names = 0;
  for (const _ in value) if (++names > maximum) return true;
  return false;
}

/**
 * Fills in what a request leaves out. TypeBox's own way walks everything that was sent, and copies it at each choice:
 * for as many small things as a body has room for that takes ten times as long as to read them.
 */

/** Gives a value with its defaults; objects and lists get theirs in place. */
type Fill = (value: unknown) => unknown;

type List = { items: TSchema; maxItems?: number };

const fills = new WeakMap<TSchema, { fill: Fill | undefined }>();

/**
 * A value with what its schema has defaults for, whatever else is wrong with it. Only what may hold any is looked at,
 * and no list that is longer than it may be.
 */
const withDefaults = (schema: TSchema, value: unknown): unknown => fillOf(schema)?.(value) ?? value;

/** What fills a schema's defaults in, made when it is first needed; undefined where it has none. */
function fillOf(schema: TSchema): Fill | undefined {
  let made = fills.get(schema);
  if (!made) {
    made = { fill: makeFill(schema) };
    fills.set(schema, made);
  }
  return made.fill;
}

function makeFill(schema: TSchema): Fill | undefined {
  const within = fillWithin(schema);
  if (!('default' in schema)) return within;
  return (value) => {
    const given = value === undefined ? structuredClone(schema.default) : value;
    return within?.(given) ?? given;
  };
}

function fillWithin(schema: TSchema): Fill | undefined {
  if (Type.IsArray(schema)) return fillItems(schema);
  if (Type.IsObject(schema)) return fillMembers(schema.properties);
  const { default: _own, ...inside } = schema as { default?: unknown };
  if (holdsDefault(inside)) throw new Error('Defaults inside a union are never applied');
  return undefined;
}

function fillItems({ items, maxItems = Number.POSITIVE_INFINITY }: List): Fill | undefined {
  const fill = fillOf(items);
  return (
    fill &&
    ((list) => {
      if (Array.isArray(list) && list.length <= maxItems) {
        for (const [index, value] of list.entries()) list[index] = fill(value);
      }
      return list;
    })
  );
}

function fillMembers(properties: Record<string, TSchema>): Fill | undefined {
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const fill = fillOf(schema);
    return fill ? [{ name, fill }] : [];
  });
  if (members.length === 0) return undefined;
  return (object) => {
    if (!isObject(object)) return object;
    for (const { name, fill } of members) {
      const filled = fill(Object.hasOwn(object, name) ? object[name] : undefined);
      if (filled !== undefined) object[name] = filled;
    }
    return object;
  };
}

/** Whether a default stands anywhere inside a schema. */
function holdsDefault(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([keyword, inside]) => keyword === 'default' || holdsDefault(inside));
}

/**
 * How Fastify checks requests and writes replies from the schemas of `shared/api/`. Each route is mounted
 * once for every dialect and version, so what a schema compiles to is kept by schema; and it is compiled
 * when it is first needed, which keeps the start-up short.
 */

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
