import { createCipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Connection } from '../../shared/connection.ts';
import type { Session } from '../../shared/session.ts';
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

/** Of an earlier start. */
const stored: Session = {
  connection: {
    id: 'stored',
    baseUrl: 'https://stored.example',
    dialect: 'matrix',
    userId: '@admin:stored.example',
    local: false,
  },
  accessToken: 'syt_stored',
};

/** Encrypts the stored session with the format of the stand-in's keychain. */
function seal(version: 'v10' | 'v11', key: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const text = JSON.stringify({ version: 1, sessions: [stored] });
  return Buffer.concat([
    Buffer.from(version),
    nonce,
    cipher.update(text),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

const vaultIn = (profile: string) => join(profile, 'connections.vault');

/** Writes the vault of an earlier start, with a new key in the keychain. Returns the profile. */
function storeSession(profile = newProfile()): string {
  const key = randomBytes(32);
  writeFileSync(`${profile}.keychain`, key);
  writeFileSync(vaultIn(profile), seal('v11', key));
  return profile;
}

test.concurrent("a connection survives a restart, encrypted and private, and signs out even if that can't be saved", async () => {
  await using remote = await RemoteHomeserver.start();
  await using first = await startWhole();
  const { connection, token } = await connect(first, remote);
  await first.quit();

  const vault = vaultIn(first.profile);
  expect(statSync(vault).mode & 0o777).toBe(0o600);
  expect(await filesThatHold(first.profile, token)).toEqual([]);
  expect(await filesThatHold(first.profile, remote.password)).toEqual([]);
  expect(readdirSync(first.profile).filter((name) => name.endsWith('.partial'))).toEqual([]);

  await using second = await start({ profile: first.profile });
  expect(await second.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
  const path = '/_synapse/admin/v1/event_reports';
  const outcome = await second.invoke('request', { connectionId: connection.id, method: 'GET', path });
  expect(outcome).toMatchObject({ ok: true, value: { status: 200 } });
  expect(remote.received.at(-1)?.authorization).toBe(`Bearer ${token}`);

  rmSync(vault);
  mkdirSync(join(vault, 'in-the-way'), { recursive: true });
  const removed = await second.invoke('connections:remove', { connectionId: connection.id });
  expect(removed).toMatchObject({ ok: false, failure: { code: 'refused' } });
  expect(remote.received.at(-1)).toMatchObject({
    path: expect.stringContaining('/logout'),
    authorization: `Bearer ${token}`,
  });
});

test.concurrent.each([
  ['none', 'basic_text', 'unavailable', 'missing'],
  ['one that locked', 'locked', 'locked', 'locked'],
] as const)(
  'with %s a warning is shown, nothing reaches the disk, and sessions saved by an earlier start are kept',
  async (_, encryption, laterEncryption, kept) => {
    await using remote = await RemoteHomeserver.start();
    await using fresh = await startWhole({ settings: { encryption } });
    expect(await fresh.invoke('connections:kept', undefined)).toEqual({ ok: true, value: kept });
    const { connection, token } = await connect(fresh, remote);
    expect(await fresh.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
    await fresh.quit();
    const { profile } = fresh;
    expect(await filesThatHold(profile, token)).toEqual([]);
    expect(readdirSync(profile)).not.toContain('connections.vault');

    storeSession(profile);
    await using later = await start({ profile, settings: { encryption: laterEncryption } });
    expect(await later.invoke('connections:kept', undefined)).toEqual({ ok: true, value: kept });
    expect(await later.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
    await connect(later, remote);
    expect(await later.quit()).toBe(0);

    await using next = await start({ profile });
    expect(await next.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'encrypted' });
    expect(await next.invoke('connections:list', undefined)).toEqual({
      ok: true,
      value: [stored.connection],
    });
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

/** Starts a second instance while the first waits for the keychain. */
async function startTwice(profile: string): Promise<App> {
  const options: AppOptions = { dist: shellAlone, profile, settings: { encryption: 'asking' } };
  const app = launchApp(options);
  // The app starts its homeserver just before it opens the vault.
  await until(async () => expect(await app.command('utilityProcesses')).toHaveLength(1));
  await launchApp(options).ended;
  return app;
}

test.concurrent('a keychain that is locked or unresponsive keeps the sessions, and a different key that arrives late is reported', async () => {
  const profile = storeSession();
  const vault = readFileSync(vaultIn(profile));
  await using locked = await start({ profile, settings: { encryption: 'refused' } });
  expect(await locked.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'locked' });
  expect(await locked.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
  expect(await locked.quit()).toBe(0);

  // A late reply closes the question.
  await using late = await startTwice(profile);
  await late.nextDialog();
  await late.command('unlockKeychain');
  await late.open();
  expect(await late.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'encrypted' });
  expect(await late.invoke('connections:list', undefined)).toEqual({ ok: true, value: [stored.connection] });
  expect(await late.command('windows')).toHaveLength(1);
  expect(await late.quit()).toBe(0);

  rmSync(`${profile}.keychain`);
  await using app = await startTwice(profile);
  const { options, answer } = await app.nextDialog();
  expect(options.message).toContain('keychain');
  await answer('Continue without keychain');
  await app.open();
  expect(await app.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'locked' });
  expect(await app.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
  await app.command('unlockKeychain');
  await using remote = await RemoteHomeserver.start();
  // Afterwards, the keychain's answer has been processed.
  await connect(app, remote);
  expect(await app.quit()).toBe(0);
  expect(readFileSync(vaultIn(profile))).toEqual(vault);

  await using next = await start({ profile });
  expect(await next.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'changed' });
});

test.concurrent('sessions stored with the hard-coded key get their own key', {
  skip: process.platform !== 'linux',
}, async () => {
  const profile = storeSession();
  const vault = vaultIn(profile);
  writeFileSync(vault, seal('v10', Buffer.alloc(32, 'peanuts')));

  await using locked = await start({ profile, settings: { encryption: 'locked' } });
  expect(await locked.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
  expect(await locked.quit()).toBe(0);

  await using next = await start({ profile });
  expect(await next.invoke('connections:kept', undefined)).toEqual({ ok: true, value: 'encrypted' });
  expect(await next.invoke('connections:list', undefined)).toEqual({ ok: true, value: [stored.connection] });
  expect(readFileSync(vault).subarray(0, 3).toString()).toBe('v11');
});
