/** Number and size of the scripts that load before the console's screens are usable. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';

type Chunk = { file: string; imports?: string[]; isEntry?: boolean };

const built = join(projectRoot, 'dist/renderer');
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8'));
const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';

/** Returns a chunk and all chunks that must load before it. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of manifest[name]?.imports ?? []) withImports(imported, found);
  return found;
}

/** Returns the total size in KB, compressed as a server sends it. */
const size = (names: Iterable<string>): number =>
  [...names]
    .map((name) => readFileSync(join(built, `${manifest[name]?.file}.br`)).length)
    .reduce((sum, bytes) => sum + bytes, 0) / 1000;

const first = withImports(entry);
const screens = Object.keys(manifest).filter((name) =>
  /^features\/\w[\w-]*\/(\w+\/)?\w+Screen\.tsx$/.test(name),
);

test('opening the reports takes at most 25 scripts of 350 KB', () => {
  const needed = withImports('features/reports/ReportsScreen.tsx', new Set(first));
  expect(needed.size).toBeLessThanOrEqual(25);
  expect(size(needed)).toBeLessThanOrEqual(350);
});

test('every screen has its own script', () => {
  expect(screens.length).toBeGreaterThanOrEqual(15);
  for (const name of screens) expect([...first]).not.toContain(name);
});

test('the homeserver.yaml editor is loaded by its own tab', () => {
  const editor = 'features/local-server/configuration/YamlField.tsx';
  expect(manifest[editor]).toBeDefined();
  for (const name of screens) expect([...withImports(name)]).not.toContain(editor);
});
