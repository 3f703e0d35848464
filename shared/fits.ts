/**
 * Checks values against TypeBox schemas. TypeBox's compiler needs `eval`, which the console's content security policy
 * forbids, and its interpreter is slow; this compiles a schema to closures once.
 */

import type { Static, TSchema } from 'typebox';
import { isObject } from './is-object.ts';

type Test = (value: unknown) => boolean;
// biome-ignore lint/suspicious/noExplicitAny: a keyword's value has the keyword's type
type Keyword = (argument: any, schema: any) => Test | undefined;

const known = new WeakMap<TSchema, Test>();

/**
 * Whether a value fits a schema, like `Check` of `typebox/schema`.
 *
 * @throws for a keyword that isn't implemented below
 */
export function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  let test = known.get(schema);
  if (!test) {
    test = testOf(schema);
    known.set(schema, test);
  }
  return test(value);
}

/** Returns the path of the first field that doesn't fit, such as `rooms.3.version`; empty for the whole value. */
export function misfit(schema: TSchema, value: unknown): string {
  const { properties = {}, required = [], items } = schema as Fields;
  const fields = (Array.isArray(value) && items ? value.map((_, at) => [String(at), items]) : []) as Field[];
  const record = value as Record<string, unknown>;
  if (isObject(value)) fields.push(...Object.entries(properties));
  for (const [name, field] of fields) {
    if (Object.hasOwn(record, name) ? fits(field, record[name]) : !required.includes(name)) continue;
    const within = misfit(field, record[name]);
    return within ? `${name}.${within}` : name;
  }
  return '';
}

type Fields = { properties?: Record<string, TSchema>; required?: string[]; items?: TSchema };
type Field = [name: string, schema: TSchema];

function testOf(schema: TSchema | boolean): Test {
  if (typeof schema === 'boolean') return () => schema;
  const strange = Reflect.ownKeys(schema).find((name) => !Object.hasOwn(keywords, name));
  if (strange !== undefined) throw new Error(`No shape had the keyword "${String(strange)}" yet`);
  const tests = Object.entries(keywords)
    .filter(([name]) => Object.hasOwn(schema, name))
    .map(([name, keyword]) => keyword(schema[name as keyof TSchema], schema))
    .filter((test) => test !== undefined);
  const [first = () => true, second, ...more] = tests;
  if (!second) return first;
  if (more.length === 0) return (value) => first(value) && second(value);
  return (value) => first(value) && second(value) && more.every((test) => test(value));
}

const types: Record<string, Test> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  undefined: (value) => value === undefined,
};

const says = () => undefined;

/** Keywords of one type accept values of others. */
const ofObjects =
  (test: (value: Record<string, unknown>) => boolean): Test =>
  (value) =>
    !isObject(value) || test(value);
const ofArrays =
  (test: (value: unknown[]) => boolean): Test =>
  (value) =>
    !Array.isArray(value) || test(value);
const ofTexts =
  (test: (value: string) => boolean): Test =>
  (value) =>
    typeof value !== 'string' || test(value);
const ofNumbers =
  (test: (value: number) => boolean): Test =>
  (value) =>
    typeof value !== 'number' || !Number.isFinite(value) || test(value);

/** Counts code points. */
const characters = (text: string) => [...text].length;

/** In the order of checking: `~refine` functions only get values that fit the rest. */
const keywords: Record<string, Keyword> = {
  type: (names: string | string[]) => {
    const tests = [names].flat().map((name) => types[name] as Test);
    const [only] = tests;
    return only && tests.length === 1 ? only : (value) => tests.some((test) => test(value));
  },
  const: (constant: unknown) => (value) => value === constant,
  enum: (constants: unknown[]) => (value) => constants.includes(value),
  anyOf: (schemas: TSchema[]) => {
    const tests = schemas.map(testOf);
    return (value) => tests.some((test) => test(value));
  },

  required: (names: string[]) => ofObjects((value) => names.every((name) => Object.hasOwn(value, name))),
  properties: (properties: Record<string, TSchema>, { required = [] }: { required?: string[] }) => {
    const tests = Object.entries(properties).map(
      ([name, property]) => [name, testOf(property), required.includes(name)] as const,
    );
    // Optional properties may be undefined.
    return ofObjects((value) =>
      tests.every(([name, test, isRequired]) =>
        Object.hasOwn(value, name) && (isRequired || value[name] !== undefined) ? test(value[name]) : true,
      ),
    );
  },
  additionalProperties: (
    schema: TSchema | boolean,
    { properties = {} }: { properties?: Record<string, TSchema> },
  ) => {
    if (schema === true) return undefined;
    const test = testOf(schema);
    return ofObjects((value) =>
      Object.keys(value).every((name) => Object.hasOwn(properties, name) || test(value[name])),
    );
  },
  maxProperties: (limit: number) => ofObjects((value) => Object.keys(value).length <= limit),

  items: (schema: TSchema | TSchema[]) => {
    if (!Array.isArray(schema)) {
      const test = testOf(schema);
      return ofArrays((value) => value.every((item) => test(item)));
    }
    const tests = schema.map(testOf);
    return ofArrays((value) => value.every((item, index) => tests[index]?.(item) ?? true));
  },
  additionalItems: (schema: TSchema | boolean, { items }: { items: TSchema[] }) => {
    const test = testOf(schema);
    return ofArrays((value) => value.slice(items.length).every((item) => test(item)));
  },
  minItems: (limit: number) => ofArrays((value) => value.length >= limit),
  maxItems: (limit: number) => ofArrays((value) => value.length <= limit),

  minLength: (limit: number) =>
    ofTexts((text) => text.length >= limit && (text.length >= 2 * limit || characters(text) >= limit)),
  maxLength: (limit: number) =>
    ofTexts((text) => text.length <= limit || (text.length <= 2 * limit && characters(text) <= limit)),
  pattern: (source: string) => {
    const pattern = new RegExp(source, 'u');
    return ofTexts((text) => pattern.test(text));
  },
  minimum: (limit: number) => ofNumbers((value) => value >= limit),
  maximum: (limit: number) => ofNumbers((value) => value <= limit),

  '~refine': (checks: { check: Test }[]) => (value) => checks.every(({ check }) => check(value)),

  title: says,
  description: says,
  default: says,
  examples: says,
  '~kind': says,
  '~optional': says,
  '~unsafe': says,
};
