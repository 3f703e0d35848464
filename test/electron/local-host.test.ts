/** Developer tools on the built-in homeserver. The app asks for confirmation in native dialogs. */
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../shared/connection.ts';
import { type App, newProfile, startApp } from './app.ts';

let app: App;
let connection: Connection;
let settings: string;

const signIn = async () => {
  const outcome = await app.invoke('connections:add-local', undefined);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
};

beforeAll(async () => {
  app = await startApp();
  settings = join(app.profile, 'homeserver/homeserver.yaml');
  connection = await signIn();
});
afterAll(() => app?.dispose());

/** Presses a button in the dialog that the app shows for the call. */
async function answered<Outcome>(asked: Promise<Outcome>, button: string, by = app): Promise<Outcome> {
  await (await by.nextDialog()).answer(button);
  return asked;
}

const apply = (text: string) => app.invoke('local-server:apply', { text });
const cancelled = { ok: false, failure: { code: 'cancelled' } };

test('a configuration is applied after confirmation and reverted if the server refuses it', async () => {
  expect(await answered(apply('max_upload_size: 1M'), 'Cancel')).toMatchObject(cancelled);
  expect(existsSync(settings)).toBe(false);

  expect(await answered(apply('max_upload_size: 2M'), 'Change configuration')).toMatchObject({
    ok: true,
    value: { outcome: 'applied' },
  });
  expect(readFileSync(settings, 'utf8')).toBe('max_upload_size: 2M');

  expect(await answered(apply('max_upload_size: -1'), 'Change configuration')).toMatchObject({
    ok: true,
    value: { outcome: 'went_back', message: expect.stringContaining('max_upload_size') },
  });
  expect(readFileSync(settings, 'utf8')).toBe('max_upload_size: 2M');
  expect(await app.invoke('local-server:state', undefined)).toMatchObject({ value: { status: 'running' } });
});

test('a backup is saved where the user chooses, readable only by them', async () => {
  const path = join(app.profile, 'mine.tar');
  const backup = () => app.invoke('workbench:backup', { connectionId: connection.id, name: 'mine.tar' });

  await app.command('willSaveTo', { path: null });
  expect(await backup()).toEqual({ ok: true, value: { saved: false, bytes: 0 } });

  await app.command('willSaveTo', { path });
  const outcome = await backup();
  const { size, mode } = statSync(path);
  expect(outcome).toEqual({ ok: true, value: { saved: true, bytes: size } });
  expect(mode & 0o777).toBe(0o600);
  const archive = readFileSync(path, 'latin1');
  expect(archive).toContain('SQLite format 3');
  expect(archive).toContain('gatehouse-backup-1');

  // A failed backup must not delete an existing file.
  writeFileSync(join(app.profile, 'no-folder'), '');
  await app.command('willSaveTo', { path: join(app.profile, 'no-folder/mine.tar') });
  expect(await backup()).toMatchObject({ ok: false, failure: { code: 'refused' } });
});

test('a reset keeps the old data and starts empty after confirmation', async () => {
  expect(await answered(app.invoke('local-server:reset', undefined), 'Cancel')).toMatchObject(cancelled);
  const outcome = await answered(app.invoke('local-server:reset', undefined), 'Reset server');
  if (!outcome.ok) throw new Error(outcome.failure.message);
  expect(existsSync(join(outcome.value.kept_at, 'homeserver.db'))).toBe(true);
  expect(readFileSync(settings, 'utf8')).toBe('max_upload_size: 2M');
  const { userId } = await signIn();
  expect(userId).toBe(connection.userId);
});

test('a chosen backup is restored, and the previous data can be restored again', async () => {
  const restore = () => app.invoke('local-server:restore', undefined);
  const database = () => statSync(join(app.profile, 'homeserver/homeserver.db')).ino;
  const [before, { userId }] = [database(), await signIn()];

  await app.command('willOpen', { path: null });
  expect(await restore()).toEqual({ ok: true, value: {} });
  await app.command('willOpen', { path: join(app.profile, 'homeserver/homeserver.yaml') });
  expect(await restore()).toMatchObject({
    failure: { code: 'refused', message: expect.stringContaining('not a backup') },
  });
  await app.command('willOpen', { path: join(app.profile, 'mine.tar') });
  expect(await answered(restore(), 'Cancel')).toMatchObject(cancelled);
  expect(database()).toBe(before);

  const outcome = await answered(restore(), 'Restore backup');
  if (!outcome.ok) throw new Error(outcome.failure.message);
  expect(database()).not.toBe(before);
  expect(statSync(join(outcome.value.kept_at ?? '', 'homeserver.db')).ino).toBe(before);
  expect(await signIn()).toMatchObject({ userId });

  const back = await answered(app.invoke('local-server:take-back', undefined), 'Restore data');
  expect(back).toMatchObject({ ok: true, value: { kept_at: expect.stringContaining('homeserver-') } });
  expect(database()).toBe(before);
});

test('server operations run one after the other', async () => {
  const applying = apply('max_upload_size: 3M');
  const dialog = await app.nextDialog();
  const restarting = app.invoke('local-server:restart', undefined);
  expect(await app.invoke('local-server:state', undefined)).toMatchObject({ value: { status: 'running' } });
  const order: string[] = [];
  const told = [applying.then(() => order.push('applied')), restarting.then(() => order.push('restarted'))];
  await dialog.answer('Change configuration');
  await Promise.all(told);
  expect(order).toEqual(['applied', 'restarted']);
  expect(await applying).toMatchObject({ ok: true, value: { outcome: 'applied' } });
});

test("a reset doesn't touch an external database", async () => {
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, 'database: {name: psycopg2}');
  expect(await app.invoke('local-server:reset', undefined)).toMatchObject({
    ok: false,
    failure: { code: 'refused', message: expect.stringContaining('PostgreSQL') },
  });
  expect(readFileSync(settings, 'utf8')).toBe('database: {name: psycopg2}');
  // An unreadable configuration doesn't block the reset: the server or the user decides.
  writeFileSync(settings, 'a: [');
  expect(await answered(app.invoke('local-server:reset', undefined), 'Cancel')).toMatchObject(cancelled);
  writeFileSync(settings, text);
});

test('additional servers are started and stopped by name', async () => {
  const list = () => app.invoke('local-server:temporary-servers', undefined);
  const start = () => app.invoke('local-server:start-temporary-server', { name: 'beside' });
  const stop = () => app.invoke('local-server:stop-temporary-server', { name: 'beside' });
  const started = await start();
  if (!started.ok) throw new Error(started.failure.message);
  const { url, user_id, access_token } = started.value;
  expect(await list()).toEqual({ ok: true, value: [started.value] });
  const whoAmI = await fetch(`${url}/_chat/client/v3/account/whoami`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(await whoAmI.json()).toMatchObject({ user_id });
  expect(await start()).toMatchObject({
    failure: { code: 'refused', message: expect.stringContaining('A server named beside exists') },
  });

  expect(await stop()).toMatchObject({ ok: true });
  await expect(fetch(url)).rejects.toThrow();
  expect(await list()).toEqual({ ok: true, value: [] });
  expect(await stop()).toMatchObject({ ok: false, failure: { code: 'refused' } });
});

test('leftovers of additional servers of a killed app are removed at the next start', async () => {
  const profile = newProfile();
  const environment = { TMPDIR: join(profile, 'tmp') };
  mkdirSync(environment.TMPDIR);
  const databases = () =>
    globSync('{tmp,temporary-servers}/**/homeserver.db', { cwd: profile }).map((path) => join(profile, path));
  const killed = await startApp({ profile, environment });
  expect(await killed.invoke('local-server:start-temporary-server', {})).toMatchObject({ ok: true });
  expect(databases()).toHaveLength(1);
  killed.process.kill('SIGKILL');
  await killed.ended;

  await using next = await startApp({ profile, environment });
  await expect.poll(databases).toEqual([]);
  expect(await next.invoke('local-server:start-temporary-server', {})).toMatchObject({ ok: true });
  expect(await next.quit()).toBe(0);
  expect(databases()).toEqual([]);
});

test('an additional server that crashes is removed with its data', async () => {
  const started = await app.invoke('local-server:start-temporary-server', { name: 'crashes' });
  if (!started.ok) throw new Error(started.failure.message);
  const child = (await app.command('utilityProcesses')).at(-1);
  process.kill(child?.pid ?? 0, 'SIGKILL');
  const list = () => app.invoke('local-server:temporary-servers', undefined);
  await expect.poll(list).toEqual({ ok: true, value: [] });
  await expect.poll(() => globSync('temporary-servers/*', { cwd: app.profile })).toEqual([]);
  expect(await app.command('utilityProcesses')).toHaveLength(1);
});

test("a reset that can't keep the old data leaves it, and the server keeps running", async () => {
  const profile = newProfile();
  // File names are limited to 255 bytes, so the date suffix of the kept copy doesn't fit.
  const dataDir = join(profile, 'd'.repeat(240));
  await using other = await startApp({ profile, arguments: [`--data-dir=${dataDir}`] });
  const addLocal = () => other.invoke('connections:add-local', undefined);
  expect(await addLocal()).toMatchObject({ ok: true });
  const database = statSync(join(dataDir, 'homeserver.db')).ino;

  const outcome = await answered(other.invoke('local-server:reset', undefined), 'Reset server', other);
  expect(outcome).toMatchObject({
    ok: false,
    failure: { code: 'refused', message: expect.stringMatching(/Nothing has changed.*ENAMETOOLONG/s) },
  });
  expect(await other.invoke('local-server:state', undefined)).toMatchObject({ value: { status: 'running' } });
  expect(statSync(join(dataDir, 'homeserver.db')).ino).toBe(database);
  expect(await addLocal()).toMatchObject({ ok: true });
});

test('a stream has one subscription per name, for the page that requested it', async () => {
  const { id: connectionId } = await signIn();
  const stream = { connectionId, path: '/_gatehouse/v1/log/stream', streamId: 'one' };
  const follow = () =>
    app.command('sendRaw', { from: 'page', channel: 'workbench:follow', values: [stream] });
  const followed = follow();
  expect(await follow()).toMatchObject({ value: { ok: false, failure: { code: 'refused' } } });
  await app.page.reload();
  expect(await followed).toMatchObject({ value: { ok: true } });
});

test('a restart runs before later requests', async () => {
  const [child] = await app.command('utilityProcesses');
  // A server that's slow to stop.
  process.kill(child?.pid ?? 0, 'SIGSTOP');
  const restarting = app.invoke('local-server:restart', undefined);
  const resetting = app.invoke('local-server:reset', undefined);
  await app.invoke('local-server:state', undefined);
  expect(app.openDialogs).toBe(0);
  process.kill(child?.pid ?? 0, 'SIGCONT');
  expect(await restarting).toMatchObject({ ok: true });
  expect(await answered(resetting, 'Cancel')).toMatchObject(cancelled);
});

test('a running restore finishes before the app exits', async () => {
  const database = () => statSync(join(app.profile, 'homeserver/homeserver.db')).ino;
  const before = database();
  await signIn();
  const [child] = await app.command('utilityProcesses');
  await app.command('willOpen', { path: join(app.profile, 'mine.tar') });
  const restoring = app.invoke('local-server:restore', undefined);
  restoring.catch(() => {}); // Closes its page with the app.
  const { answer } = await app.nextDialog();
  process.kill(child?.pid ?? 0, 'SIGSTOP');
  await answer('Restore backup');
  await app.command('quit');
  process.kill(child?.pid ?? 0, 'SIGCONT');
  expect(await app.ended).toBe(0);
  expect(database()).not.toBe(before);
});
