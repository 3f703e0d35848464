import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { fits } from '../../shared/fits.ts';

const isSchema = (value: unknown): value is TSchema =>
  typeof value === 'object' && value !== null && ('~kind' in value || '~unsafe' in value);

/** All schemas of the API and the developer tools, without duplicates: bodies, queries and replies. */
const shapes = new Map(
  Object.entries(import.meta.glob<Record<string, unknown>>('../../shared/**/*.ts', { eager: true }))
    .flatMap(([file, exported]) => within(file, exported))
    .map(([name, schema]) => [JSON.stringify(schema), [name, schema]] as const),
);

function within(name: string, value: unknown): [string, TSchema][] {
  if (isSchema(value)) return [[name, value]];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([part, inside]) => within(`${name}.${part}`, inside));
}

const strange = fc.oneof(
  {
    arbitrary: fc.constantFrom<unknown>(
      undefined,
      null,
      true,
      '',
      '🏛️',
      -1,
      0.5,
      Number.NaN,
      1e300,
      'a'.repeat(300),
    ),
    weight: 3,
  },
  fc.anything({ maxDepth: 1, maxKeys: 2 }),
);

/** Generates values that match a schema, or nearly. */
function near(schema: TSchema | boolean): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: nearest(schema), weight: 40 }, strange);
}

// biome-ignore lint/suspicious/noExplicitAny: schemas have any keywords
function nearest(schema: any): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return fc.anything({ maxDepth: 1 });
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(near));
  const type = [schema.type].flat();
  return fc.constantFrom(...type).chain((name) => ofType(name, schema));
}

// biome-ignore lint/suspicious/noExplicitAny: schemas have any keywords
function ofType(type: string, schema: any): fc.Arbitrary<unknown> {
  const { minimum = -5, minLength = 0, minItems = 0, properties = {}, items, additionalProperties } = schema;
  if (type === 'object') {
    const known = fc.record(
      Object.fromEntries(Object.entries<TSchema>(properties).map(([name, each]) => [name, near(each)])),
      { requiredKeys: [] },
    );
    const all = fc.record(
      Object.fromEntries((schema.required ?? []).map((name: string) => [name, near(properties[name])])),
    );
    const more = additionalProperties
      ? fc.dictionary(fc.string(), near(additionalProperties), { maxKeys: 2 })
      : fc.constant({});
    return fc
      .tuple(known, fc.oneof({ arbitrary: all, weight: 9 }, fc.constant({})), more)
      .map((parts) => Object.assign({}, ...parts));
  }
  if (type === 'array') {
    if (Array.isArray(items)) return fc.tuple(...items.map(near));
    return fc.array(items ? near(items) : fc.anything({ maxDepth: 1 }), {
      minLength: Math.min(minItems, 2),
      maxLength: 2,
    });
  }
  if (type === 'string') {
    if (schema.pattern)
      return fc.oneof(fc.stringMatching(new RegExp(schema.pattern, 'u'), { maxLength: 100 }), fc.string());
    const length = schema.maxLength ?? minLength;
    return fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.integer({ min: -1, max: 1 }).map((off) => '𝒂'.repeat(Math.max(0, Math.min(length, 500) + off))),
    );
  }
  if (type === 'integer') return fc.integer({ min: Math.max(minimum - 1, -(2 ** 31)) });
  if (type === 'number') return fc.oneof(fc.double(), fc.integer());
  return type === 'boolean' ? fc.boolean() : fc.constant(type === 'null' ? null : undefined);
}

describe('fits', () => {
  test('agrees with TypeBox on all schemas and any value', () => {
    let fitting = 0;
    for (const [name, schema] of shapes.values()) {
      fc.assert(
        fc.property(near(schema), (value) => {
          const expected = Check(schema, value);
          fitting += Number(expected);
          expect(fits(schema, value), name).toBe(expected);
        }),
        { numRuns: 10 },
      );
    }
    // Otherwise too few generated values would match.
    expect(fitting).toBeGreaterThan(shapes.size * 2);
  });

  test("uses a schema's own test if it has one", () => {
    const asked: unknown[] = [];
    const Even = Type.Refine(Type.Object({ count: Type.Integer() }), (value) => {
      asked.push(value);
      return value.count % 2 === 0;
    });
    expect([{ count: 2 }, { count: 1 }, { count: '2' }, null].map((value) => fits(Even, value))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(asked).toEqual([{ count: 2 }, { count: 1 }]);
  });

  test('throws on an unknown keyword', () => {
    expect(() => fits(Type.Array(Type.String(), { uniqueItems: true }), [])).toThrow('uniqueItems');
  });
});
