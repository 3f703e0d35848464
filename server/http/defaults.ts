/**
 * Fills in what a request leaves out. TypeBox's own way walks everything that was sent, and copies it at each choice:
 * for as many small things as a body has room for that takes ten times as long as to read them.
 */

import { type TSchema, Type } from 'typebox';
import { isObject } from '../../shared/is-object.ts';

/** Gives a value with its defaults; objects and lists get theirs in place. */
type Fill = (value: unknown) => unknown;

type List = { items: TSchema; maxItems?: number };

const fills = new WeakMap<TSchema, { fill: Fill | undefined }>();

/**
 * A value with what its schema has defaults for, whatever else is wrong with it. Only what may hold any is looked at,
 * and no list that is longer than it may be.
 */
export const withDefaults = (schema: TSchema, value: unknown): unknown => fillOf(schema)?.(value) ?? value;

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
