import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { declared } from '../../../server/platform/config/config.ts';
import { ConfigurationError } from '../../../server/platform/config/configuration-error.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { isMatrix } from '../../matrix.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-anything-'));
});
afterAll(() => rm(directory, { recursive: true }));

const names = Object.keys(declared);
const partNames = Object.values(declared).flatMap((declaration) =>
  Object.keys((declaration as { properties?: object }).properties ?? {}),
);
const key = fc.oneof(fc.constantFrom(...names, ...partNames), fc.string());
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.boolean(),
      fc.integer(),
      fc.double(),
      fc.string(),
      fc.constantFrom(null, '', 0, '50M', 'http'),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));

test('any file is a valid configuration or is refused in one line', async () => {
  const file = join(directory, 'homeserver.yaml');
  const anything = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(anything, async (settings) => {
      await writeFile(file, JSON.stringify(settings));
      const outcome = await loadConfig({ file, dataDir: directory }).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(ConfigurationError);
        expect(outcome.message).toMatch(/^[^\n\p{Cc}]+: [^\n\p{Cc}]+; [^\n\p{Cc}]+$/u);
      } else {
        expect(outcome).toHaveProperty('serverName');
      }
    }),
    { numRuns: isMatrix ? 500 : 150 },
  );
});
