import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { programVersion } from '../../../server/platform/core/version.ts';

test('the program reports the version of its package', async () => {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  expect(programVersion).toBe(JSON.parse(text).version);
});
