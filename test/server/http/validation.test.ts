import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { firstFault, matchesSchema } from '../../../server/platform/http/validation.ts';

const person = Type.Object(
  { name: Type.String({ minLength: 1 }), age: Type.Optional(Type.Integer()) },
  { additionalProperties: true },
);
const people = Type.Unsafe({ type: 'object', additionalProperties: person });
const closed = Type.Object({ name: Type.String() }, { additionalProperties: Type.Null() });
const either = Type.Union([Type.Object({ list: Type.Array(person, { maxItems: 3 }) }), Type.Null()]);

test.each<[string, TSchema, unknown]>([
  ['of another type', person, []],
  ['without a name that it needs', person, { age: 1 }],
  ['with a required name without a value', person, { name: undefined }],
  ['with two faults', person, { name: '', age: 'old' }],
  ['with a fault among its names', people, { a: { name: 'A' }, 'b/~': { name: 1 }, c: {} }],
  ['with a fault behind a name of its own', closed, { other: 1, name: 2 }],
  ['with a fault in a list', either, { list: [{ name: 'A' }, { name: '' }, 4] }],
  ['with too long a list', either, { list: Array(4).fill({ name: 'A' }) }],
  ['that matches no choice', either, 4],
  ['with one item too many', Type.Tuple([Type.Integer(), person]), [1, { name: 'A' }, 'third']],
])("the first error of a value %s is TypeBox's", (_, schema, value) => {
  expect(matchesSchema(schema, value)).toBe(false);
  const { instancePath, keyword, params } = firstFault(schema, value) ?? {};
  const [first] = Value.Errors(schema, value);
  expect({ instancePath, params }).toEqual({ instancePath: first?.instancePath, params: first?.params });
  // The schema `false`, which has no keyword here.
  expect(keyword).toBe(first?.keyword === 'boolean' ? 'not' : first?.keyword);
});

test.each<[string, TSchema, (names: object) => unknown]>([
  ['that has to have another', person, (names) => names],
  ['within one that has to have another', people, (names) => ({ a: names })],
])("sixty thousand names %s aren't validated", (_, schema, around) => {
  let looks = 0;
  const count = <Result>(result: Result) => {
    looks++;
    return result;
  };
  const all = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));
  const names = new Proxy(all, {
    ownKeys: (target) => Reflect.ownKeys(target).map(count),
    get: (target, name) => count(Reflect.get(target, name)),
    getOwnPropertyDescriptor: (target, name) => count(Reflect.getOwnPropertyDescriptor(target, name)),
  });
  expect(firstFault(schema, around(names))).toMatchObject({ keyword: expect.any(String) });
  expect(looks).toBeLessThan(20);
});
