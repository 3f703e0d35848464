import { existsSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { makeSmallDisk } from './small-disk.ts';

let directory = '';

test.fails('a test with a small disk fails', async () => {
  directory = (await makeSmallDisk(64 * 1024))?.directory ?? '';
  throw new Error('as it is to');
});

afterAll(() => expect(existsSync(directory), 'the disk is there without its test').toBe(false));
