/**
 * Electron's "Security recommendations" checklist, item by item. Items with their own test file have one assertion
 * here.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { callPolicy, nowhere } from '../../electron/window/sealed-page.ts';
import { type App, launchApp, startApp } from './app.ts';
import { builtShell, shellAlone } from './build.ts';

const root = join(import.meta.dirname, '../..');
const bundles = globSync('electron/*.{js,cjs}', { cwd: builtShell }).map((path) => ({
  path,
  code: readFileSync(join(builtShell, path), 'utf8'),
}));
const shellSource = globSync('electron/**/*.ts', { cwd: root })
  .filter((path) => !/electron.(launch|packaging)/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');
const builder = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));

let app: App;
let preferences: Electron.WebPreferences;
beforeAll(async () => {
  app = await startApp({ dist: shellAlone });
  preferences = (await app.command('windows'))[0]?.webPreferences ?? {};
});
afterAll(() => app?.dispose());

const policy = async () => {
  const { headers } = await app.command('requestScheme', { url: 'app://gatehouse/console/', method: 'GET' });
  return headers['content-security-policy'] ?? '';
};

describe('security checklist', () => {
  test('1. Only load secure content', async () => {
    expect(await app.page.evaluate(() => isSecureContext)).toBe(true);
    // The window only loads the console's URL.
    expect(shellSource.match(/\.loadURL\((\w+)\)/g)).toEqual(['.loadURL(consoleUrl)']);
    expect(shellSource).not.toContain('.loadFile(');
  });

  test('2. Do not enable Node.js integration for remote content', async () => {
    expect(preferences.nodeIntegration).toBe(false);
    expect(preferences.nodeIntegrationInWorker ?? false).toBe(false);
    expect(preferences.nodeIntegrationInSubFrames ?? false).toBe(false);
    const node = await app.page.evaluate(() =>
      ['require', 'process', 'Buffer', 'module', 'global'].filter((name) => name in window),
    );
    expect(node).toEqual([]);
  });

  test('3. Enable context isolation', async () => {
    expect(preferences.contextIsolation).toBe(true);
    // The page can modify its own world: the preload script runs in another.
    await app.page.evaluate(() => {
      Object.assign(Object, { hasOwn: () => true });
    });
    const sneaked = app.page.evaluate(() => window.gatehouse?.invoke('evil' as never, undefined as never));
    await expect(sneaked).rejects.toThrow("The bridge has no channel 'evil'");
    await app.page.reload();
  });

  test('4. Enable process sandboxing', async () => {
    expect(preferences.sandbox).toBe(true);
    // By default, electron-builder starts AppImages with `--no-sandbox`.
    expect(builder.appImage.executableArgs).toEqual([]);
    await using without = launchApp({ dist: shellAlone, arguments: ['--no-sandbox'] });
    const { options } = await without.nextDialog();
    expect(options).toMatchObject({
      type: 'error',
      detail: expect.stringContaining('without the Chromium sandbox'),
    });
    expect(await without.ended).toBe(1);
    expect(shellSource.match(/.*no-sandbox.*/g)).toEqual([
      "  if (!app.commandLine.hasSwitch('no-sandbox')) return;",
    ]);
  });

  test('5. Handle session permission requests from remote content', async () => {
    const asked = await app.command('askPermission', {
      permission: 'media',
      url: 'app://gatehouse/console/',
    });
    expect(asked).toEqual({ checked: false, requested: false });
  });

  test('6. Do not disable webSecurity', () => {
    expect(preferences.webSecurity ?? true).toBe(true);
  });

  test('7. Define a Content Security Policy', async () => {
    const rules = (await policy()).split('; ');
    expect(rules).toContain("default-src 'none'");
    expect(rules).toContain("script-src 'self'");
    // CSP doesn't cover WebRTC.
    expect(await app.command('windows')).toMatchObject([{ callPolicy, proxy: nowhere }]);
    expect(await policy()).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*|https?:/);
  });

  test('8. Do not enable allowRunningInsecureContent', () => {
    expect(preferences.allowRunningInsecureContent ?? false).toBe(false);
  });

  test('9. Do not enable experimental features', () => {
    expect(preferences.experimentalFeatures ?? false).toBe(false);
    expect(shellSource).not.toContain('appendSwitch');
  });

  test('10. Do not use enableBlinkFeatures', () => {
    expect(preferences.enableBlinkFeatures).toBe(undefined);
  });

  test('11. Do not use allowpopups for WebViews', () => {
    expect(preferences.webviewTag).toBe(false);
    const renderer = globSync('renderer/**/*.{ts,tsx,html}', { cwd: root });
    expect(renderer.filter((path) => /<webview/i.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });

  test('12. Verify WebView options before creation', async () => {
    expect(await app.command('attachWebview', { src: 'app://gatehouse/console/' })).toEqual({
      prevented: true,
    });
  });

  test('13. Disable or limit navigation', async () => {
    await app.page.evaluate(() => location.assign('https://example.org/'));
    await app.invoke('local-server:state', undefined);
    expect(await app.page.title()).toBe('Ready');
  });

  test('14. Disable or limit creation of new windows', async () => {
    expect(await app.page.evaluate(() => window.open('/console/') === null)).toBe(true);
    expect(await app.command('windows')).toHaveLength(1);
  });

  test('15. Do not use shell.openExternal with untrusted content', async () => {
    const [main] = bundles.filter(({ path }) => path.endsWith('main.js'));
    expect([...new Set(main?.code.match(/\bshell\.\w+/g))].sort()).toEqual([
      'shell.openExternal',
      'shell.showItemInFolder',
    ]);
    const outcome = await app.invoke('open-external', { url: 'file:///etc/passwd' as never });
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'refused' } });
  });

  test('16. Use a current version of Electron', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [major] = manifest.devDependencies.electron.split('.').map(Number);
    // The oldest supported release at the last review.
    expect(major).toBeGreaterThanOrEqual(43);
  });

  test('17. Validate the sender of all IPC messages', async () => {
    await app.page.evaluate(() => document.body.append(document.createElement('iframe')));
    const channels = ['connections:list', 'local-server:restart', 'connections:add-local'];
    for (const channel of channels) {
      const answer = await app.command('sendRaw', { from: 'frame', channel, values: [undefined] });
      expect(answer).toMatchObject({ ok: true, value: { ok: false, failure: { code: 'refused' } } });
    }
    // All channels share the one handler that validates the sender.
    expect(shellSource.match(/ipcMain\.\w+\(/g)).toEqual(['ipcMain.handle(']);
  });

  test('18. Avoid usage of the file:// protocol and prefer usage of custom protocols', async () => {
    expect(await app.page.evaluate(() => location.protocol)).not.toBe('file:');
    expect(shellSource).not.toMatch(/file:\/\/|pathToFileURL/);
  });

  test('19. Check which fuses you can change', () => {
    expect(builder.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
      // Not a fuse: arm64 Macs don't run binaries with a broken signature.
      resetAdHocDarwinSignature: true,
    });
    expect(builder.asar).toBe(true);
  });

  test('20. Do not expose Electron APIs to untrusted web content', async () => {
    const exposed = await app.page.evaluate(() => {
      const names = Object.keys(window.gatehouse ?? {}).sort();
      const leaks: string[] = [];
      window.gatehouse?.listen('menu:command', (...values: unknown[]) => {
        leaks.push(String(values.length));
      });
      return { names, leaks, ipc: 'ipcRenderer' in window || 'electron' in window };
    });
    expect(exposed).toMatchObject({ names: ['invoke', 'listen'], ipc: false });
    const [preload] = bundles.filter(({ path }) => path.endsWith('preload.cjs'));
    expect(preload?.code.match(/require\([^)]*\)/g)).toEqual(['require("electron")']);
  });

  test('No module is loaded from elsewhere', () => {
    expect(bundles.length).toBeGreaterThan(2);
    for (const { code } of bundles) expect(code).not.toMatch(/(import|require)\s*\(?\s*["'`]https?:/);
  });
});
