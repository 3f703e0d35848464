/** An app that is about to end: what is asked of it then. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type App, launchApp, startApp } from './app.ts';

/** Tells an app to quit whose server takes its time to stop: until what is given is called. */
async function quitWithSlowServer(app: App): Promise<() => void> {
  expect(await app.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
  const [child] = await app.command('utilityProcesses');
  process.kill(child?.pid ?? 0, 'SIGSTOP');
  await app.command('quit');
  await expect.poll(() => app.command('windows')).toEqual([]);
  return () => void process.kill(child?.pid ?? 0, 'SIGCONT');
}

test('an app that is started while it ends opens no window, and opens when it has ended', async () => {
  await using app = await startApp();
  const goOn = await quitWithSlowServer(app);

  const link = 'gatehouse://nowhere.example/report/1';
  const second = launchApp({ profile: app.profile, arguments: ['--', link] });
  expect(await second.ended).toBe(0);
  expect(await app.command('windows')).toEqual([]);
  goOn();
  expect(await app.ended).toBe(0);
  // The link is followed by who can show something.
  expect(app.openDialogs).toBe(0);
  expect(app.relaunch).toMatchObject({ execPath: process.execPath });
  expect(app.relaunch?.args.slice(-2)).toEqual(['--', link]);
  expect(existsSync(join(app.profile, 'homeserver/homeserver.db-wal'))).toBe(false);
});

test('a server that is just being restarted is not started any more when the app ends', async () => {
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

test('a link that comes while the app ends opens it again', async () => {
  await using app = await startApp({ arguments: ['gatehouse://nowhere.example/report/1'] });
  await (await app.nextDialog()).answer('Close');
  const link = 'gatehouse://nowhere.example/report/2';
  const ended = app.quit();
  await app.command('openUrl', { url: link });
  expect(await ended).toBe(0);
  expect(app.openDialogs).toBe(0);
  expect(app.relaunch?.args.at(-1)).toBe(link);
});

test('a link that comes while the app ends is followed afterwards, also where it is started once more meanwhile', async () => {
  await using app = await startApp();
  const goOn = await quitWithSlowServer(app);
  const link = 'gatehouse://nowhere.example/report/2';
  expect(await launchApp({ profile: app.profile, arguments: ['--', link] }).ended).toBe(0);
  expect(await launchApp({ profile: app.profile }).ended).toBe(0);
  goOn();
  expect(await app.ended).toBe(0);
  expect(app.relaunch?.args.at(-1)).toBe(link);
});
