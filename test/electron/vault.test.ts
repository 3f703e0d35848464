import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Connection } from '../../shared/connection.ts';
import { until } from '../until.ts';
import { type App, type AppOptions, launchApp, newProfile, startApp } from './app.ts';
import { shellAlone } from './build.ts';
import { RemoteHomeserver } from './remote-homeserver.ts';

const start = (options: AppOptions = {}) => startApp({ dist: shellAlone, ...options });

/** Includes the data that Chromium stores in the profile. */
const startWhole = (options: AppOptions = {}) => start({ ownChromium: true, ...options });

async function connect(
  app: App,
  remote: RemoteHomeserver,
): Promise<{ connection: Connection; token: string }> {
  const added = app.invoke('connections:add', {
    address: remote.url,
    credentials: { type: 'password', user: 'admin', password: remote.password },
  });
  await (await app.nextDialog()).answer('Connect');
  const outcome = await added;
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return { connection: outcome.value, token: remote.tokens.at(-1) ?? '' };
}

/** Returns the app's files that contain a text, plain or in a common encoding. */
function filesThatHold(directory: string, text: string): Promise<string[]> {
  const spellings = [
    Buffer.from(text),
    Buffer.from(text, 'utf16le'),
    Buffer.from(Buffer.from(text).toString('base64').slice(0, -4)),
    Buffer.from(Buffer.from(text).toString('hex')),
  ];
  // A file may vanish before it's read, as Chromium's last processes are ending.
  return until(() =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => {
        const content = readFileSync(path);
        return spellings.some((spelling) => content.includes(spelling));
      }),
  );
}

test.concurrent('a connection survives a restart, encrypted and private', async () => {
  await using remote = await RemoteHomeserver.start();
  await using first = await startWhole();
  const { connection, token } = await connect(first, remote);
  await first.quit();

  const vault = join(first.profile, 'connections.vault');
  expect(statSync(vault).mode & 0o777).toBe(0o600);
  expect(await filesThatHold(first.profile, token)).toEqual([]);
  expect(await filesThatHold(first.profile, remote.password)).toEqual([]);
  expect(readdirSync(first.profile).filter((name) => name.endsWith('.partial'))).toEqual([]);

  await using second = await startWhole({ profile: first.profile });
  expect(await second.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
  const path = '/_synapse/admin/v1/event_reports';
  const outcome = await second.invoke('request', { connectionId: connection.id, method: 'GET', path });
  expect(outcome).toMatchObject({ ok: true, value: { status: 200 } });
  expect(remote.received.at(-1)?.authorization).toBe(`Bearer ${token}`);
});

test.concurrent.each(['unavailable', 'basic_text', 'locked'] as const)(
  'without a keychain (%s) the token stays in memory and nothing reaches the disk',
  async (encryption) => {
    await using remote = await RemoteHomeserver.start();
    await using first = await startWhole({ settings: { encryption } });
    const { connection, token } = await connect(first, remote);
    expect(await first.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
    await first.quit();
    expect(await filesThatHold(first.profile, token)).toEqual([]);
    expect(readdirSync(first.profile)).not.toContain('connections.vault');

    await using second = await startWhole({ profile: first.profile, settings: { encryption } });
    expect(await second.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
  },
);

test.concurrent('no context of the page has a token', async () => {
  await using remote = await RemoteHomeserver.start();
  await using app = await startApp();
  const { connection, token } = await connect(app, remote);
  await app.page.evaluate(async (connectionId) => {
    const path = '/_synapse/admin/v1/event_reports';
    const kept = [
      await window.gatehouse?.invoke('connections:add-local', undefined),
      await window.gatehouse?.invoke('connections:list', undefined),
      await window.gatehouse?.invoke('request', { connectionId, method: 'GET', path }),
    ];
    Object.assign(window, { kept });
  }, connection.id);
  const devtools = await app.page.context().newCDPSession(app.page);
  let heap = '';
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    heap += chunk;
  });
  await devtools.send('HeapProfiler.takeHeapSnapshot');
  expect(heap.includes(connection.userId), 'the heap holds what the page was given').toBe(true);
  expect(heap.includes(token), 'the heap holds the token').toBe(false);
});

/** Decrypts with the format of the stand-in's keychain. */
function openSealed(sealed: Buffer, key: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(3, 15));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(15, -16)), decipher.final()]).toString();
}

function sealWithFixedKey(text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.alloc(32, 'peanuts'), nonce);
  return Buffer.concat([Buffer.from('v10'), nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Starts a second instance while the first waits for the keychain. */
async function startTwice(options: AppOptions): Promise<App> {
  const app = launchApp(options);
  await until(() => expect(existsSync(join(app.profile, 'homeserver/homeserver.db-wal'))).toBe(true));
  await launchApp({ ...options, profile: app.profile }).ended;
  return app;
}

test.concurrent('an unresponsive keychain is waited for as long as the user wants', async () => {
  await using remote = await RemoteHomeserver.start();
  await using first = await start();
  const { connection } = await connect(first, remote);
  expect(first.openDialogs).toBe(0);
  expect(await first.quit()).toBe(0);

  const settings = { encryption: 'asking' } as const;
  await using app = await startTwice({ profile: first.profile, settings });
  const { options, answer } = await app.nextDialog();
  expect(options.message).toContain('keychain');
  await answer('Continue without keychain');
  await app.open();
  expect(await app.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'locked' });
  expect(await app.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
  expect(await app.quit()).toBe(0);

  // Data that wasn't requested before is available once the keychain answers.
  await using next = await start({ profile: first.profile });
  expect(await next.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
});

test.concurrent('a different keychain key that arrives late is reported at the next start', async () => {
  await using remote = await RemoteHomeserver.start();
  await using first = await start();
  await connect(first, remote);
  expect(await first.quit()).toBe(0);
  rmSync(`${first.profile}.keychain`);

  await using app = await startTwice({ profile: first.profile, settings: { encryption: 'asking' } });
  await (await app.nextDialog()).answer('Continue without keychain');
  await app.open();
  await app.command('unlockKeychain');
  // By now the keychain's answer has been processed.
  expect(await app.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
  expect(await app.quit()).toBe(0);

  await using next = await start({ profile: first.profile });
  expect(await next.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'changed' });
});

test.concurrent('a locked keychain keeps the sessions and is reported', async () => {
  await using remote = await RemoteHomeserver.start();
  await using first = await start();
  const { connection } = await connect(first, remote);
  expect(await first.quit()).toBe(0);

  await using locked = await start({ profile: first.profile, settings: { encryption: 'refused' } });
  expect(await locked.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'locked' });
  expect(await locked.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
  expect(await locked.quit()).toBe(0);

  await using next = await start({ profile: first.profile });
  expect(await next.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
});

test.concurrent('sessions stored with the hard-coded key get their own key', {
  skip: process.platform !== 'linux',
}, async () => {
  await using remote = await RemoteHomeserver.start();
  await using first = await start();
  const { connection } = await connect(first, remote);
  expect(await first.quit()).toBe(0);
  const vault = join(first.profile, 'connections.vault');
  const sealed = openSealed(readFileSync(vault), readFileSync(`${first.profile}.keychain`));
  writeFileSync(vault, sealWithFixedKey(sealed));

  await using locked = await start({ profile: first.profile, settings: { encryption: 'locked' } });
  expect(await locked.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
  expect(await locked.quit()).toBe(0);

  await using next = await start({ profile: first.profile });
  expect(await next.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'encrypted' });
  expect(await next.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
  expect(readFileSync(vault).subarray(0, 3).toString()).toBe('v11');
});

test.concurrent.each([
  ['none', 'basic_text', 'missing'],
  ['one that locked', 'locked', 'locked'],
] as const)(
  'with %s a warning is shown, and sessions saved by an earlier start are kept',
  async (_, encryption, kept) => {
    await using fresh = await start({ settings: { encryption } });
    expect(await fresh.invoke('connections:kept', undefined)).toEqual({ ok: true, value: kept });

    await using remote = await RemoteHomeserver.start();
    await using first = await start();
    const { connection } = await connect(first, remote);
    expect(await first.quit()).toBe(0);
    await using later = await start({ profile: first.profile, settings: { encryption } });
    expect(await later.invoke('connections:kept', undefined)).toEqual({ ok: true, value: kept });
    expect(await later.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
    await connect(later, remote);
    expect(await later.quit()).toBe(0);

    await using next = await start({ profile: first.profile });
    expect(await next.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'encrypted' });
    expect(await next.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
  },
);

test.concurrent("signing out works even if it can't be saved", async () => {
  await using remote = await RemoteHomeserver.start();
  await using app = await start();
  const { connection, token } = await connect(app, remote);
  const vault = join(app.profile, 'connections.vault');
  rmSync(vault);
  mkdirSync(join(vault, 'in-the-way'), { recursive: true });
  const removed = await app.invoke('connections:remove', { connectionId: connection.id });
  expect(removed).toMatchObject({ ok: false, failure: { code: 'refused' } });
  expect(remote.received.at(-1)).toMatchObject({
    path: expect.stringContaining('/logout'),
    authorization: `Bearer ${token}`,
  });
});

test.concurrent('a keychain that answers late closes its question', async () => {
  await using app = await startTwice({ profile: newProfile(), settings: { encryption: 'asking' } });
  await app.nextDialog();
  await app.command('unlockKeychain');
  await app.open();
  expect(await app.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'encrypted' });
  expect(await app.command('windows')).toHaveLength(1);
});
