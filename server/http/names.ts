/**
 * Finds what of a request has more names than it may. A body has room for tens of thousands of them, and whatever
 * walks through those holds the loop for long: so it is looked for before anything else is checked.
 */

import { type TSchema, Type } from 'typebox';
import { isObject } from '../../shared/is-object.ts';

/** An object with too many names: a JSON pointer to it, and how many it may have. */
export type Overfull = { path: string; maximum: number };

type Look = (value: unknown, path: string) => Overfull | undefined;

const looks = new WeakMap<TSchema, { look: Look | undefined }>();

/** The first object with more names than its schema lets it have. */
export const overfullPart = (schema: TSchema, value: unknown): Overfull | undefined =>
  lookOf(schema)?.(value, '');

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
