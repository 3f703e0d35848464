/** An app that is about to end: what is asked of it then. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchApp, startApp } from './app.ts';

test('an app that is ending opens no window for a second start of it', async () => {
  await using app = await startApp();
  expect(await app.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
  const [child] = await app.command('utilityProcesses');
  // A server that takes its time to stop.
  process.kill(child?.pid ?? 0, 'SIGSTOP');
  await app.command('quit');
  await expect.poll(() => app.command('windows')).toEqual([]);

  const second = launchApp({ profile: app.profile });
  expect(await second.ended).toBe(0);
  expect(await app.command('windows')).toEqual([]);
  process.kill(child?.pid ?? 0, 'SIGCONT');
  expect(await app.ended).toBe(0);
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
  expect(existsSync(join(app.profile, 'homeserver/homeserver.db-wal'))).toBe(false);
});
