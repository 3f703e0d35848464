/** Requests to an app that's quitting. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type App, launchApp, startApp } from './app.ts';

/** Quits an app whose server is slow to stop. Returns a function that lets the server stop. */
async function quitWithSlowServer(app: App): Promise<() => void> {
  expect(await app.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
  const [child] = await app.command('utilityProcesses');
  process.kill(child?.pid ?? 0, 'SIGSTOP');
  await app.command('quit');
  await expect.poll(() => app.command('windows')).toEqual([]);
  return () => void process.kill(child?.pid ?? 0, 'SIGCONT');
}

test('a start during shutdown opens no window, and opens one with its link afterwards', async () => {
  await using app = await startApp();
  const goOn = await quitWithSlowServer(app);

  const link = 'gatehouse://nowhere.example/report/1';
  const second = launchApp({ profile: app.profile, arguments: ['--', link] });
  expect(await second.ended).toBe(0);
  expect(await launchApp({ profile: app.profile }).ended).toBe(0);
  expect(await app.command('windows')).toEqual([]);
  goOn();
  expect(await app.ended).toBe(0);
  // The relaunched app opens the link, although the last start had none.
  expect(app.openDialogs).toBe(0);
  expect(app.relaunch).toMatchObject({ execPath: process.execPath });
  expect(app.relaunch?.args.slice(-2)).toEqual(['--', link]);
  expect(existsSync(join(app.profile, 'homeserver/homeserver.db-wal'))).toBe(false);
});

test("a restarting server isn't started again when the app quits", async () => {
  await using app = await startApp();
  expect(await app.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
  const [child] = await app.command('utilityProcesses');
  process.kill(child?.pid ?? 0, 'SIGSTOP');
  await app.command('chooseMenuItem', { id: 'restart-local-server' });
  await app.command('quit');
  await expect.poll(() => app.command('windows')).toEqual([]);
  await app.command('chooseMenuItem', { id: 'restart-local-server' });
  process.kill(child?.pid ?? 0, 'SIGCONT');
  expect(await app.ended).toBe(0);
  expect(app.relaunch).toBe(undefined);
  expect(existsSync(join(app.profile, 'homeserver/homeserver.db-wal'))).toBe(false);
});

test('a link during shutdown reopens the app', async () => {
  await using app = await startApp({ arguments: ['gatehouse://nowhere.example/report/1'] });
  await (await app.nextDialog()).answer('Close');
  const link = 'gatehouse://nowhere.example/report/2';
  const ended = app.quit();
  await app.command('openUrl', { url: link });
  expect(await ended).toBe(0);
  expect(app.openDialogs).toBe(0);
  expect(app.relaunch?.args.at(-1)).toBe(link);
});
