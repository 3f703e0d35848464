/** Features for Windows and macOS only, with a simulated platform. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DesktopSettings, nothingChosen } from '../../shared/desktop-settings.ts';
import { until } from '../until.ts';
import { type App, startApp } from './app.ts';
import { shellAlone } from './build.ts';

const resources = mkdtempSync(join(tmpdir(), 'gatehouse-platforms-'));
const portable = String.raw`D:\Programs\Gatehouse 0.1.0 portable.exe`;
/** Environment variables that a portable app sets for its child processes. */
const inPortable = { PORTABLE_EXECUTABLE_FILE: portable, PORTABLE_EXECUTABLE_APP_FILENAME: 'gatehouse' };
const inAnother = {
  PORTABLE_EXECUTABLE_FILE: String.raw`D:\Programs\Terminal.exe`,
  PORTABLE_EXECUTABLE_APP_FILENAME: 'terminal',
};

beforeAll(() => {
  // No server listens on this port: the tests only check if the app sends a request.
  const feed = { provider: 'generic', url: 'http://127.0.0.1:9/' };
  writeFileSync(join(resources, 'app-update.yml'), JSON.stringify(feed));
});
afterAll(() => rmSync(resources, { recursive: true }));

async function choose(app: App, chosen: Partial<DesktopSettings>): Promise<DesktopSettings> {
  const outcome = await app.invoke('settings:write', { ...nothingChosen, ...chosen });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

async function startsAtLogin(app: App): Promise<boolean | undefined> {
  const outcome = await app.invoke('settings:read', undefined);
  return outcome.ok ? outcome.value.startsAtLogin : undefined;
}

const loginItem = async (app: App) => (await app.command('desktop')).loginItem;
const overlay = async (app: App) => (await app.command('windows')).map((window) => window.overlay);

describe.skipIf(process.platform !== 'linux')('on Windows', () => {
  const settings = { platform: 'win32', packaged: true, resources } as const;

  test.concurrent('the count of open reports is an overlay icon, also on later windows', async () => {
    await using app = await startApp({ settings: { ...settings, languages: ['de'] } });
    const added = await app.invoke('connections:add-local', undefined);
    if (!added.ok) throw new Error(added.failure.message);
    const connectionId = added.value.id;
    await choose(app, { badge: true, tray: true, keepsRunning: true });
    expect(await overlay(app)).toEqual([undefined]);
    await app.invoke('reports:unreviewed', { connectionId, unreviewed: 3, total: 5 });
    const three = { width: 16, height: 16, description: '3 offen' };
    expect(await overlay(app)).toEqual([three]);

    await app.command('window', { action: 'close' });
    await until(async () => expect(await app.command('windows')).toEqual([]));
    await app.command('chooseTrayItem', { label: 'Gatehouse öffnen' });
    await app.reopen();
    expect(await overlay(app)).toEqual([three]);

    await app.invoke('reports:unreviewed', { connectionId, unreviewed: 0, total: 5 });
    expect(await overlay(app)).toEqual([undefined]);
  });

  test.concurrent.each([
    ['an installed app', {}, process.execPath, true],
    ['one that was started from a portable program of another kind', inAnother, process.execPath, true],
    // Its unpacked program is deleted on exit, and the user replaces it.
    ['a portable one', inPortable, portable, false],
  ])(
    'start at login uses the current executable, and updates fit the installation: %s',
    async (_, environment, path, updatesItself) => {
      await using app = await startApp({ dist: shellAlone, settings, environment });
      const ids = (await app.command('menuItems')).map(({ id }) => id);
      expect(ids.includes('check-for-updates')).toBe(updatesItself);
      expect(await startsAtLogin(app)).toBe(false);
      expect((await choose(app, { startsAtLogin: true })).startsAtLogin).toBe(true);
      expect(await loginItem(app)).toEqual({ path, args: ['--at-login'] });
      expect(await startsAtLogin(app)).toBe(true);
      expect((await choose(app, {})).startsAtLogin).toBe(false);
      expect(await loginItem(app)).toBe(undefined);
      // Links start the same program.
      const { protocols } = await app.command('desktop');
      expect(protocols).toEqual([{ protocol: 'gatehouse', path, args: ['--'] }]);
    },
  );
});

describe.skipIf(process.platform !== 'linux')('on macOS', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp({ settings: { platform: 'darwin', packaged: true } });
  });
  afterAll(() => app?.dispose());

  test('the system starts the app at login if enabled', async () => {
    expect(await startsAtLogin(app)).toBe(false);
    expect((await choose(app, { startsAtLogin: true })).startsAtLogin).toBe(true);
    expect(await loginItem(app)).toBeDefined();
    expect(await startsAtLogin(app)).toBe(true);
    expect((await choose(app, {})).startsAtLogin).toBe(false);
    expect(await loginItem(app)).toBe(undefined);
  });

  test('the menu starts with the app menu, and the count is a dock badge', async () => {
    const [first] = await app.command('menuItems');
    expect(first).toMatchObject({ role: 'appMenu' });
    const added = await app.invoke('connections:add-local', undefined);
    if (!added.ok) throw new Error(added.failure.message);
    await choose(app, { badge: true });
    await app.invoke('reports:unreviewed', { connectionId: added.value.id, unreviewed: 3, total: 5 });
    expect((await app.command('desktop')).badge).toBe(3);
    expect(await overlay(app)).toEqual([undefined]);
  });

  test('the app keeps running without its window and opens a new one on request', async () => {
    await app.command('window', { action: 'close' });
    await until(async () => expect(await app.command('windows')).toEqual([]));
    await app.command('activate');
    await app.reopen();
    expect(await app.command('windows')).toMatchObject([{ focused: true }]);
    expect(await app.quit()).toBe(0);
  });
});
