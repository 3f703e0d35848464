import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadWindowState } from '../../electron/window/window-state.ts';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-window-'));
afterAll(() => rmSync(directory, { recursive: true }));

const first = { width: 1280, height: 800 };
const place = { x: 0, y: 0, width: 1000, height: 700, maximized: false };
const display = { x: 0, y: 0, width: 1920, height: 1080 };
const second = { x: 1920, y: 0, width: 1920, height: 1080 };

function load(content: string, displays = [display]) {
  const path = join(directory, 'window.json');
  writeFileSync(path, content);
  return loadWindowState(path, displays);
}

test.each([
  ['on the display', place],
  ['on the second display', { ...place, x: 2000 }],
  ['across both displays', { ...place, x: 1500 }],
  ['partly below the display', { ...place, y: 900 }],
  ['wider than the display', { ...place, width: 2880 }],
  ['maximized', { ...place, maximized: true }],
])('a window that was %s opens there', (_, state) => {
  expect(load(JSON.stringify(state), [display, second])).toEqual(state);
});

test.each([
  ['on a missing display', JSON.stringify({ ...place, x: 4000 })],
  ['above the display', JSON.stringify({ ...place, y: -300 })],
  ['below the display', JSON.stringify({ ...place, y: 1075 })],
  ['almost outside of the display', JSON.stringify({ ...place, x: -990 })],
  ['far too large', JSON.stringify({ ...place, width: 2881 })],
  ['without a size', JSON.stringify({ ...place, height: 0 })],
  ['not a place', JSON.stringify({ ...place, x: 'left' })],
  ['of another kind', '[]'],
  ['cut short', '{"x": 1'],
])('a window that was %s opens as on the first start', (_, state) => {
  expect(load(state)).toMatchObject(first);
});

test('a window maximized on a missing display is maximized on another', () => {
  expect(load(JSON.stringify({ ...place, x: 4000, maximized: true }))).toEqual({ ...first, maximized: true });
});

test('the first start has no state', () => {
  expect(loadWindowState(join(directory, 'nothing.json'), [display])).toEqual(first);
});
