/** How much script the console loads before it can be used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; isEntry?: boolean };

const built = join(projectRoot, 'dist/renderer');
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8'));
const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';

/** A chunk and everything that has to be there before it runs. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of manifest[name]?.imports ?? []) withImports(imported, found);
  return found;
}

/** In KB, compressed as a server does it. */
function size(names: Iterable<string>): number {
  const bytes = [...names].map(
    (name) => gzipSync(readFileSync(join(built, manifest[name]?.file ?? ''))).length,
  );
  return bytes.reduce((sum, each) => sum + each, 0) / 1000;
}

const first = withImports(entry);
const screens = Object.keys(manifest).filter((name) => /^features\/\w[\w-]*\/\w+Screen\.tsx$/.test(name));

test.each(['en', 'de'])('opening the reports in %s takes at most 350 KB of compressed script', (language) => {
  const needed = withImports('features/reports/ReportsScreen.tsx', new Set(first));
  expect(size([...needed, `words/${language}.po`])).toBeLessThanOrEqual(350);
});

test('every screen is loaded by itself', () => {
  expect(screens.length).toBeGreaterThanOrEqual(6);
  for (const name of screens) expect([...first]).not.toContain(name);
});

test('the editor of homeserver.yaml is loaded by its own tab', () => {
  const editor = 'features/local-server/configuration/YamlField.tsx';
  expect(manifest[editor]).toBeDefined();
  for (const name of screens) expect([...withImports(name)]).not.toContain(editor);
});
