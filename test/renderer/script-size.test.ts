/** What the console costs to open: the script of the first load, and what each screen adds to it. */
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

test('the first load is at most 206 KB of compressed script', () => {
  expect(size(first)).toBeLessThanOrEqual(206);
});

// Nothing is painted before its words are there.
test.each(['en', 'de'])('with its words in %s it is at most 250 KB', (language) => {
  expect(size([...first, `words/${language}.po`])).toBeLessThanOrEqual(250);
});

test('every screen is loaded by itself', () => {
  expect(screens.length).toBeGreaterThanOrEqual(6);
  for (const name of screens) expect([...first]).not.toContain(name);
});

const later = [...new Set(Object.values(manifest).flatMap(({ dynamicImports = [] }) => dynamicImports))];

/** The editor of homeserver.yaml, which nobody loads who does not open the configuration of a server of their own. */
const editor = 'features/local-server/configuration/YamlField.tsx';

test('the editor of the configuration adds less than 130 KB of compressed script', () => {
  expect(later).toContain(editor);
  expect(size([...withImports(editor)].filter((chunk) => !first.has(chunk)))).toBeLessThan(130);
});

test.each(later.filter((name) => name !== editor))('%s adds less than 60 KB of compressed script', (name) => {
  const own = [...withImports(name)].filter((chunk) => !first.has(chunk));
  expect(size(own)).toBeLessThan(60);
});
