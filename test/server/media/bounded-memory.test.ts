import { expect, test } from 'vitest';
import { boundMemory } from '../../../server/identity/media/create-thumbnails.ts';

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Exports the memory as `m`. */
const exportSection = [7, 5, 1, 1, 0x6d, 2, 0];

test.each([1, 2, 200, 16_384])('a memory of one page grows to %i pages and no further', (maximum) => {
  const module = Uint8Array.from([...header, 5, 3, 1, 0, 1, ...exportSection]);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(boundMemory(module, maximum)));
  const memory = exports.m as WebAssembly.Memory;
  memory.grow(maximum - 1);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

test.each([
  ['without memory', [...header]],
  ['with its own maximum', [...header, 5, 4, 1, 1, 1, 9, ...exportSection]],
  ['with two memories', [...header, 5, 5, 2, 0, 1, 0, 1]],
])('a module %s is refused', (_, bytes) => {
  expect(() => boundMemory(Uint8Array.from(bytes), 9)).toThrow('must define one memory');
});
