import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { placesAside } from '../../electron/profile-file.ts';
import { launchApp, newProfile, startApp } from './app.ts';
import { shellAlone } from './build.ts';

test('a second start focuses the first window and exits', async () => {
  await using first = await startApp({ dist: shellAlone });
  await first.command('window', { action: 'minimize' });
  const second = launchApp({ dist: shellAlone, profile: first.profile });
  expect(await second.ended).toBe(0);
  expect(await first.command('windows')).toMatchObject([{ minimized: false, focused: true }]);
  expect(await first.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
});

test('a hanging page still has a window', async () => {
  const dist = mkdtempSync(join(projectRoot, 'dist/hanging-page-'));
  cpSync(shellAlone, dist, { recursive: true });
  writeFileSync(join(dist, 'renderer/assets/page.js'), 'for (;;);');
  await using app = launchApp({ dist });
  try {
    await expect.poll(() => app.command('windows')).toMatchObject([{ visible: true }]);
  } finally {
    rmSync(dist, { recursive: true });
  }
});

test('the development app and the installed app have separate default profiles', async () => {
  const home = newProfile();
  const developer = { home, settings: { keychain: join(home, 'keychain') } };
  const person = { home, settings: { ...developer.settings, packaged: true } };
  try {
    await using developed = await startApp(developer);
    await using installed = await startApp(person);
    expect(await developed.command('windows')).toHaveLength(1);
    expect(await installed.command('windows')).toHaveLength(1);
    expect(await developed.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
    expect(await installed.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
    expect(await developed.quit()).toBe(0);
    expect(await installed.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
    expect(await installed.quit()).toBe(0);
    expect(readdirSync(join(home, '.config')).sort()).toEqual(['Gatehouse', 'Gatehouse Development']);
    for (const name of ['Gatehouse', 'Gatehouse Development']) {
      const profile = readdirSync(join(home, '.config', name));
      expect(profile).toEqual(expect.arrayContaining(['connections.vault', 'homeserver', 'logs']));
    }

    // Back on its own server, the app finds its connections.
    await using again = await startApp(person);
    expect(await again.invoke('connections:list', undefined)).toMatchObject({ ok: true, value: [{}] });
  } finally {
    rmSync(home, { recursive: true });
  }
});

test('the window opens at its last position and size', async () => {
  await using first = await startApp({ dist: shellAlone });
  // The window is shown when its page has loaded. The bridge is available earlier.
  await expect
    .poll(() => first.command('windows'))
    .toMatchObject([{ bounds: { width: 1280, height: 800 }, visible: true }]);
  const bounds = { x: 240, y: 130, width: 1440, height: 820 };
  await first.command('window', { action: 'setBounds', bounds });
  await first.command('window', { action: 'maximize' });
  await first.quit();
  expect(JSON.parse(readFileSync(join(first.profile, 'window.json'), 'utf8'))).toEqual({
    ...bounds,
    maximized: true,
  });
  expect(readdirSync(first.profile).filter((name) => name.endsWith('.partial'))).toEqual([]);

  await using second = await startApp({ dist: shellAlone, profile: first.profile });
  expect(await second.command('windows')).toMatchObject([{ bounds, maximized: true }]);
});

test('a window whose display is gone opens on a visible one', async () => {
  const profile = newProfile();
  const state = { x: 4000, y: 0, width: 1000, height: 700, maximized: false };
  writeFileSync(join(profile, 'window.json'), JSON.stringify(state));
  await using app = await startApp({ dist: shellAlone, profile });
  expect(await app.command('windows')).toMatchObject([{ bounds: { width: 1280, height: 800 } }]);
});

test('a crashed page reloads with its bridge', async () => {
  await using app = await startApp({ dist: shellAlone });
  await app.command('crashPage');
  const page = await app.reopen();
  await page.waitForFunction(() => document.title === 'Ready');
  expect(await app.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
});

test('the menu has the usual entries, and developer tools only in development', async () => {
  await using developing = await startApp({ dist: shellAlone });
  const items = await developing.command('menuItems');
  const roles = items.flatMap(({ role }) => role ?? []);
  expect(roles).toEqual(
    expect.arrayContaining(['editMenu', 'windowMenu', 'quit', 'reload', 'toggleDevTools']),
  );
  expect(items.flatMap(({ id }) => id ?? [])).toEqual([
    'settings',
    'palette',
    'restart-local-server',
    'add-sample-data',
    'show-log',
    'copy-diagnostics',
  ]);

  await using packaged = await startApp({ dist: shellAlone, settings: { packaged: true } });
  const packagedRoles = (await packaged.command('menuItems')).flatMap(({ role }) => role ?? []);
  expect(packagedRoles).not.toContain('toggleDevTools');
  expect(await packaged.command('windows')).toMatchObject([{ webPreferences: { devTools: false } }]);
});

test('menus and dialogs use the system language', async () => {
  await using app = await startApp({ dist: shellAlone, settings: { languages: ['fr-FR', 'de-AT', 'en'] } });
  const labels = (await app.command('menuItems')).flatMap(({ label }) => label ?? []);
  expect(labels).toEqual(
    expect.arrayContaining([
      'Datei',
      'Bearbeiten',
      'Rückgängig',
      'Einstellungen…',
      'Starten oder neu starten',
      'Hilfe',
    ]),
  );
  // All menu labels are translated. Electron's default labels are English.
  for (const english of ['File', 'Edit', 'View', 'Window', 'Help', 'Settings…', 'Undo', 'Reload']) {
    expect(labels).not.toContain(english);
  }
  const credentials = { type: 'password' as const, user: 'ada', password: 'x' };
  const added = app.invoke('connections:add', { address: 'http://server.invalid', credentials });
  const { options, answer } = await app.nextDialog();
  expect(options.message).toBe('Mit server.invalid verbinden?');
  expect(options.detail).toContain('nicht verschlüsselt');
  await answer('Abbrechen');
  expect(await added).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
});

test('an error during startup is shown and exits without leftovers', async () => {
  const profile = newProfile();
  // Unreadable files are moved aside. Here all names for the copy are taken.
  writeFileSync(join(profile, 'connections.vault'), 'nothing of ours');
  for (const place of placesAside(join(profile, 'connections.vault'))) mkdirSync(place);
  await using app = launchApp({ dist: shellAlone, profile });
  const { options } = await app.nextDialog();
  // The dialog names the file and the remedy.
  const vault = join(profile, 'connections.vault');
  expect(options).toMatchObject({ type: 'error', message: "Gatehouse can't continue" });
  expect(options.detail).toContain(vault);
  expect(options.detail).toContain('--user-data-dir=');
  expect(await app.ended).toBe(1);
  expect(app.output).toContain(vault);
  const logs = join(profile, 'logs');
  expect(readFileSync(join(logs, 'gatehouse.log'), 'utf8')).toContain(vault);
  const [report = ''] = readdirSync(join(logs, 'crashes'));
  expect(readFileSync(join(logs, 'crashes', report), 'utf8')).toContain(vault);
  expect(readFileSync(vault, 'utf8')).toBe('nothing of ours');
});

test("a data folder that isn't writable is reported before the single-instance lock", async () => {
  const profile = newProfile();
  const inTheWay = join(profile, 'file');
  writeFileSync(inTheWay, '');
  await using app = launchApp({ dist: shellAlone, profile: inTheWay });
  const { options } = await app.nextDialog();
  expect(options).toMatchObject({ type: 'error', message: "Gatehouse can't continue" });
  expect(options.detail).toContain(inTheWay);
  expect(options.detail).toContain('--user-data-dir=');
  expect(await app.ended).toBe(1);
  rmSync(profile, { recursive: true });
});

test('an oversized log is rotated once', async () => {
  const profile = newProfile();
  const [now, before] = ['gatehouse.log', 'gatehouse.old.log'].map((name) => join(profile, 'logs', name)) as [
    string,
    string,
  ];
  mkdirSync(join(profile, 'logs'));
  writeFileSync(now, 'a'.repeat(1024 * 1024 + 1));
  writeFileSync(before, 'b');
  await using app = await startApp({ dist: shellAlone, profile });
  expect(readFileSync(before, 'utf8')).toMatch(/^a+$/);
  expect(readFileSync(now, 'utf8')).toContain(' started\n');
  expect(readdirSync(join(profile, 'logs'))).toHaveLength(2);
  expect(await app.quit()).toBe(0);
});

test('without write access the app starts, survives a page crash, quits, and says why it has to exit', async () => {
  const profile = newProfile();
  mkdirSync(join(profile, 'window.json/in-the-way'), { recursive: true });
  writeFileSync(join(profile, 'logs'), '');
  await using app = await startApp({ dist: shellAlone, profile });
  await app.command('crashPage');
  await app.reopen();
  expect(await app.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
  expect(await app.quit()).toBe(0);

  await using without = launchApp({ profile, arguments: ['--no-sandbox'] });
  const { options } = await without.nextDialog();
  expect(options).toMatchObject({ type: 'error', message: "Gatehouse can't continue" });
  expect(await without.ended).toBe(1);
});

test('a page with a running job closes after confirmation, and so does the app', async () => {
  await using app = await startApp({ dist: shellAlone });
  await app.command('pageIsAtWork');
  const quitAndAnswer = async (button: string) => {
    await app.command('quit');
    const { options, answer } = await app.nextDialog();
    expect(options.message).toBe('Quit while a job is running?');
    await answer(button);
  };
  await quitAndAnswer('Cancel');
  expect(await app.command('windows')).toHaveLength(1);
  await quitAndAnswer('Quit anyway');
  expect(await app.ended).toBe(0);
});

test('a link that arrives during startup opens afterwards', async () => {
  await using app = launchApp({ dist: shellAlone });
  await expect.poll(() => existsSync(join(app.profile, 'SingletonSocket'))).toBe(true);
  const link = 'gatehouse://example.org/report/1';
  await launchApp({ dist: shellAlone, profile: app.profile, arguments: [link] }).ended;
  expect((await app.nextDialog()).options.message).toContain('example.org');
});
