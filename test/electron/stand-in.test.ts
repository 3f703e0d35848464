/** Tests of the Electron stand-in itself, for behavior that's easy to fake. All other tests depend on it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, launchApp, startApp } from './app.ts';
import { shellAlone } from './build.ts';
import { fromPage, toPage } from './stand-in/addresses.ts';
import { decode, encode } from './stand-in/codec.ts';
import { LoudEmitter, loud } from './stand-in/loud.ts';

let app: App;
beforeAll(async () => {
  app = await startApp({ dist: shellAlone });
});
afterAll(() => app?.dispose());

test('the page has the bridge and no way around it', async () => {
  const found = await app.page.evaluate(() => {
    const own = Object.getOwnPropertyNames(window);
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const usual = new Set(Object.getOwnPropertyNames(frame.contentWindow ?? {}));
    frame.remove();
    return own.filter((name) => !usual.has(name));
  });
  expect(found).toContain('gatehouse');
  expect(found.filter((name) => /standIn|electron|ipc|handshake/i.test(name))).toEqual([]);
});

test("the bridge can't be replaced or changed", async () => {
  const changed = await app.page.evaluate(() => {
    const bridge = window.gatehouse;
    try {
      Object.assign(window, { gatehouse: {} });
    } catch {
      // The property is read-only.
    }
    try {
      Object.assign(bridge ?? {}, { invoke: () => 'mine' });
    } catch {
      // The object is frozen.
    }
    return window.gatehouse !== bridge || String(bridge?.invoke).includes('mine');
  });
  expect(changed).toBe(false);
});

test("a value that can't be cloned is refused before the main process", async () => {
  const refused = app.page.evaluate(() =>
    window.gatehouse?.invoke('connections:remove', { connectionId: Symbol('x') } as never),
  );
  await expect(refused).rejects.toThrow('could not be cloned');
});

test.each([
  ['dates', new Date(5)],
  ['buffers', new Uint8Array([1, 2, 255]).buffer],
  ['views', new Uint8Array([1, 2, 255])],
  ['maps and sets', new Map([['a', new Set([1, undefined])]])],
  ['numbers that JSON has not', [Number.NaN, Number.POSITIVE_INFINITY, -0, 12n]],
  ['undefined values', { a: undefined, b: null }],
  ['a key that is a trap', JSON.parse('{"__proto__": {"a": 1}}')],
])('a copy keeps %s', (_, value) => {
  expect(decode(encode(value))).toStrictEqual(value);
});

test('a copy keeps circular references', () => {
  const circle: { self?: unknown; list: unknown[] } = { list: [] };
  circle.self = circle;
  circle.list.push(circle.list, circle);
  const copy = decode(encode(circle)) as typeof circle;
  expect(copy.self).toBe(copy);
  expect(copy.list[0]).toBe(copy.list);
});

test.each([
  ['a function', () => {}],
  ['a symbol', Symbol('x')],
  ['a promise', Promise.resolve()],
  ['a function inside', { deep: [() => {}] }],
])('a copy refuses %s', (_, value) => {
  expect(() => encode(value)).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
});

test.each([
  ['app://gatehouse/console/?a=b#c', 'https://gatehouse.app.scheme.stand-in.test/console/?a=b#c'],
  ['https://example.org/', 'https://example.org/'],
])('%s is found again', (address, inPage) => {
  expect(toPage(address, ['app'])).toBe(inPage);
  expect(fromPage(inPage)).toBe(address);
});

test.each([
  'https://gatehouse.app.scheme.stand-in.test.evil.org/',
  'https://evil.org/?gatehouse.app.scheme.stand-in.test',
])("%s isn't mistaken for the app", (address) => {
  expect(fromPage(address)).toBe(address);
});

test('a missing API throws loudly', () => {
  const shell = loud('shell', { openExternal: () => {} });
  expect(() => (shell as unknown as { openPath(): void }).openPath()).toThrow('has no shell.openPath');
  expect(() => new LoudEmitter('app', ['ready']).on('will-fly', () => {})).toThrow("never emits 'will-fly'");
});

test('a main process that uses a missing API exits', async () => {
  const dist = join(app.profile, 'dist');
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(dist, 'electron'), { recursive: true });
  writeFileSync(join(dist, 'package.json'), '{"type": "module"}');
  writeFileSync(join(dist, 'electron/main.js'), "import { app } from 'electron'; app.setJumpList([]);\n");
  await using broken = launchApp({ dist });
  expect(await broken.ended).toBe(1);
  expect(broken.output).toContain('has no app.setJumpList');
});

test('a Chromium without an app ends with the test process and leaves nothing behind', async () => {
  const TMPDIR = join(app.profile, 'temporary');
  mkdirSync(TMPDIR);
  const chromium = new URL('stand-in/chromium-process.ts', import.meta.url).href;
  const start = `import { startChromium } from '${chromium}'; process.stdout.write((await startChromium()).endpoint); process.kill(process.pid, 'SIGTERM');`;
  const { stdout: endpoint, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', start], {
    env: { ...process.env, TMPDIR },
    encoding: 'utf8',
  });
  expect(endpoint, stderr).toMatch(/^ws:/);
  const { host } = new URL(endpoint);
  await expect.poll(() => fetch(`http://${host}/json/version`).catch(() => 'gone')).toBe('gone');
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith('gatehouse-chromium-profile'))).toEqual([]);
});
