/** Whether a value has the shape that a schema asks for, and what the first thing is that it hasn't. */
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';

const validators = new WeakMap<TSchema, Validator>();

/** Whether a value is as a schema asks for. The schema is compiled when it is first needed, and kept so. */
export function hasShape<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value);
}

/**
 * The first fault of a value that hasn't its shape. TypeBox's own list looks at every name and item of the whole value,
 * and anybody may send tens of thousands of them.
 */
export function firstFault(schema: TSchema, value: unknown): TLocalizedValidationError | undefined {
  return faultWithin(schema, value, '');
}

/** The keywords of JSON Schema that say something of what is inside a value. */
type Inside = {
  properties?: Record<string, TSchema>;
  required?: string[];
  additionalProperties?: TSchema | boolean;
  items?: TSchema | TSchema[];
  additionalItems?: TSchema | boolean;
  anyOf?: TSchema[];
};

function faultWithin(schema: TSchema, value: unknown, path: string): TLocalizedValidationError | undefined {
  const { properties, additionalProperties, items, additionalItems, anyOf, ...outside }: TSchema & Inside =
    schema;
  const [own] = Value.Errors(outside, value);
  if (own) return { ...own, instancePath: path };
  // None of the choices is met, so the first one isn't.
  if (anyOf?.[0]) return faultWithin(anyOf[0], value, path);
  const failing = Array.isArray(value)
    ? failingItem({ items, additionalItems }, value)
    : failingMember(
        { properties, required: outside.required, additionalProperties },
        value as Record<string, unknown>,
      );
  return failing && faultWithin(failing.schema, failing.value, `${path}/${escaped(failing.name)}`);
}

/** A part of a value that isn't as its schema asks for. */
type Failing = { name: string; schema: TSchema; value: unknown };

function failingMember(
  { properties = {}, required = [], additionalProperties = true }: Inside,
  value: Record<string, unknown>,
): Failing | undefined {
  if (additionalProperties !== true) {
    for (const name in value) {
      if (Object.hasOwn(properties, name)) continue;
      const failing = failingPart(additionalProperties, name, value[name]);
      if (failing) return failing;
    }
  }
  for (const [name, schema] of Object.entries(properties)) {
    const isLeftOut = value[name] === undefined && !required.includes(name);
    if (isLeftOut || !Object.hasOwn(value, name)) continue;
    const failing = failingPart(schema, name, value[name]);
    if (failing) return failing;
  }
  return undefined;
}

function failingItem({ items = [], additionalItems = true }: Inside, value: unknown[]): Failing | undefined {
  for (const [index, item] of value.entries()) {
    const schema = Array.isArray(items) ? (items[index] ?? additionalItems) : items;
    if (schema === true) return undefined;
    const failing = failingPart(schema, String(index), item);
    if (failing) return failing;
  }
  return undefined;
}

function failingPart(schema: TSchema | boolean, name: string, value: unknown): Failing | undefined {
  if (schema === true) return undefined;
  if (schema !== false) return hasShape(schema, value) ? undefined : { name, schema, value };
  return { name, schema: nothing, value };
}

/** What `false` means as a schema. */
const nothing: TSchema = { not: {} };

/** A name as a part of a JSON pointer, RFC 6901. */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
