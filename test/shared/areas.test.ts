import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { namedTests, testsOf } from '../areas.ts';

const root = resolve(import.meta.dirname, '../..');
const exists = (name: string) =>
  ['', '.test.ts', '.sqlite.test.ts'].some((end) => existsSync(join(root, 'test', name + end)));

test('every source file has tests that run when it changes', () => {
  const folders = ['server', 'shared', 'renderer', 'electron', 'bundles', 'bin'];
  const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(ts|tsx|js|css|po)$/.test(file));
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.filter((file) => testsOf(file, exists).length === 0)).toEqual([]);
});

test('every test that an area names exists', () => {
  expect(namedTests.filter((name) => !exists(name))).toEqual([]);
});

test.each([
  ['server/identity/media/upload.ts', ['server/media']],
  [
    'renderer/features/home/HomeScreen.tsx',
    [
      'renderer/home',
      'renderer/expiry',
      'renderer/figures',
      'renderer/growth',
      'renderer/administration-screens',
    ],
  ],
  ['renderer/features/reports/export/ExportMenu.tsx', ['renderer/reports', 'renderer/reports-export']],
  ['electron/vault/vault.ts', ['electron/vault', 'electron/vault-file']],
  ['shared/fits.ts', ['shared/fits']],
])('%s', (file, tests) => {
  expect(testsOf(file, exists)).toEqual(tests);
});
