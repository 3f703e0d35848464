import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { placesAside } from '../../electron/profile-file.ts';
import type { Keychain } from '../../electron/vault/keychain.ts';
import { openVault } from '../../electron/vault/vault.ts';
import type { Session } from '../../shared/session.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-vault-'));
afterAll(() => rmSync(root, { recursive: true }));
const newVault = () => join(mkdtempSync(join(root, '-')), 'connections.vault');

function newKeychain() {
  const key = randomBytes(32);
  return {
    state: async () => 'open',
    async encrypt(text: string) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    },
    async decrypt(encrypted: Buffer) {
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12));
      decipher.setAuthTag(encrypted.subarray(-16));
      const text = Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]);
      return { text: text.toString(), stale: false };
    },
  } satisfies Keychain;
}

const session = (id: string): Session => ({
  connection: {
    id,
    baseUrl: 'https://example.org',
    dialect: 'matrix',
    userId: '@admin:example.org',
    local: false,
  },
  accessToken: `token of ${id}`,
});

test('a saved session is available after the next start', async () => {
  const [path, keychain] = [newVault(), newKeychain()];
  const vault = await openVault(path, keychain);
  // Concurrent writes: each saves the current content of the vault.
  await Promise.all(['a', 'b', 'c'].map((id) => vault.put(session(id))));
  await vault.remove('b');
  await vault.put({ ...session('a'), accessToken: 'another' });

  const again = await openVault(path, keychain);
  expect(again.list()).toEqual([{ ...session('a'), accessToken: 'another' }, session('c')]);
  expect(again.get('b')).toBe(undefined);
  expect(readdirSync(dirname(path))).toEqual(['connections.vault']);
  expect(readFileSync(path).includes('token of')).toBe(false);
});

test('the file is removed with the last session', async () => {
  const path = newVault();
  const vault = await openVault(path, newKeychain());
  await vault.put(session('a'));
  await vault.remove('a');
  expect(existsSync(path)).toBe(false);
});

test('an unresponsive keychain is given up with a message, and signing out still works', async () => {
  const [path, keychain] = [newVault(), newKeychain()];
  const silent: Keychain = { ...keychain, encrypt: () => new Promise(() => {}) };
  const vault = await openVault(path, silent, 1);
  await expect(vault.put(session('a'))).rejects.toThrow('does not answer');
  await expect(vault.put(session('b'))).rejects.toThrow('does not answer');
  await expect(vault.remove('a')).rejects.toThrow('does not answer');
  expect(vault.list()).toEqual([session('b')]);
  await vault.remove('b');
  expect(vault.list()).toEqual([]);
  expect(existsSync(path)).toBe(false);
});

test("a rotated key that can't encrypt yet keeps the sessions", async () => {
  const [path, keychain] = [newVault(), newKeychain()];
  await (await openVault(path, keychain)).put(session('a'));
  const renewed: Keychain = {
    ...keychain,
    decrypt: async (encrypted) => ({ ...(await keychain.decrypt(encrypted)), stale: true }),
    encrypt: () => Promise.reject(new Error('there is no room')),
  };
  const vault = await openVault(path, renewed);
  expect(vault.list()).toEqual([session('a')]);
  expect(vault.kept).toBe('encrypted');
  await expect(vault.put(session('b'))).rejects.toThrow('there is no room');
  expect((await openVault(path, keychain)).list()).toEqual([session('a')]);
});

test('a keychain failure at runtime is reported, and the next change saves everything', async () => {
  const [path, keychain] = [newVault(), newKeychain()];
  let isLocked = false;
  const vault = await openVault(path, {
    ...keychain,
    encrypt: (text) => (isLocked ? Promise.reject(new Error('is locked')) : keychain.encrypt(text)),
  });
  isLocked = true;
  await expect(vault.put(session('a'))).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/is locked.*until you quit.*Unlock/s),
  });
  expect(vault.list()).toEqual([session('a')]);
  expect(vault.kept).toBe('unwritten');
  isLocked = false;
  await vault.put(session('b'));
  expect(vault.kept).toBe('encrypted');
  expect((await openVault(path, keychain)).list()).toEqual([session('a'), session('b')]);
});

test('without a keychain nothing is written, and saved sessions stay', async () => {
  const [path, keychain] = [newVault(), newKeychain()];
  const locked: Keychain = { ...keychain, state: async () => 'locked' };
  await (await openVault(path, keychain)).put(session('a'));
  const before = readFileSync(path);

  const vault = await openVault(path, locked);
  expect(vault.list()).toEqual([]);
  await vault.put(session('b'));
  expect(vault.get('b')).toEqual(session('b'));
  expect(readFileSync(path)).toEqual(before);
});

test.each<[string, Partial<Keychain>]>([
  ['is not unlocked', { decrypt: async () => 'locked' }],
  ['fails', { state: () => Promise.reject(new Error('no such service')) }],
])('a keychain that %s keeps the sessions', async (_, fault) => {
  const [path, keychain] = [newVault(), newKeychain()];
  await (await openVault(path, keychain)).put(session('a'));
  const vault = await openVault(path, { ...keychain, ...fault });
  expect(vault.kept).toBe('locked');
  expect(vault.list()).toEqual([]);
  await vault.put(session('b'));
  expect(readdirSync(dirname(path))).toEqual(['connections.vault']);
  expect((await openVault(path, keychain)).list()).toEqual([session('a')]);
});

test("a vault that can't be removed is reported like one that can't be written", async () => {
  const path = newVault();
  const vault = await openVault(path, newKeychain());
  await vault.put(session('a'));
  rmSync(path);
  mkdirSync(join(path, 'in-the-way'), { recursive: true });
  await expect(vault.remove('a')).rejects.toMatchObject({ code: 'refused' });
});

test('a failed write leaves no partial file', async () => {
  const path = newVault();
  const vault = await openVault(path, newKeychain());
  mkdirSync(join(path, 'in-the-way'), { recursive: true });
  await expect(vault.put(session('a'))).rejects.toMatchObject({ code: 'refused' });
  expect(readdirSync(dirname(path))).toEqual(['connections.vault']);
});

test.each([
  ['cut short', async (vault: Buffer) => vault.subarray(0, 40)],
  [
    'changed',
    async (vault: Buffer) => {
      vault[20] = ~(vault[20] as number);
      return vault;
    },
  ],
  ['empty', async () => Buffer.alloc(0)],
  ['of another key', () => newKeychain().encrypt('{"version":1,"sessions":[]}')],
  ['of another version', (_: Buffer, keychain: Keychain) => keychain.encrypt('{"version":2,"sessions":[]}')],
  ['of another shape', (_: Buffer, keychain: Keychain) => keychain.encrypt('{"version":1,"sessions":[{}]}')],
])('a file that is %s is set aside', async (_, damage) => {
  const [path, keychain] = [newVault(), newKeychain()];
  await (await openVault(path, keychain)).put(session('a'));
  const damaged = await damage(readFileSync(path), keychain);
  writeFileSync(path, damaged);

  const vault = await openVault(path, keychain);
  expect(vault.list()).toEqual([]);
  expect(readFileSync(`${path}.unreadable`)).toEqual(damaged);
  await vault.put(session('b'));
  expect((await openVault(path, keychain)).list()).toEqual([session('b')]);
});

test("a path that isn't a file is set aside and reported", async () => {
  const path = newVault();
  mkdirSync(join(path, 'in-the-way'), { recursive: true });
  const vault = await openVault(path, newKeychain());
  expect(vault.kept).toBe('changed');
  await vault.put(session('a'));
  expect(readdirSync(dirname(path)).sort()).toEqual(['connections.vault', 'connections.vault.unreadable']);
});

test('up to five set-aside files are kept, then the newest replaces the previous one', async () => {
  const path = newVault();
  for (let key = 1; key <= 7; key++) {
    writeFileSync(path, `of key ${key}`);
    expect((await openVault(path, newKeychain())).kept).toBe('changed');
  }
  const kept = ['', '-2', '-3', '-4', '-5'].map((number) => `${path}.unreadable${number}`);
  expect(readdirSync(dirname(path)).sort()).toEqual(kept.map((file) => basename(file)));
  expect(kept.map((file) => readFileSync(file, 'utf8'))).toEqual(
    [1, 2, 3, 4, 7].map((key) => `of key ${key}`),
  );
});

test("an unreadable file that can't be moved is left alone", async () => {
  const path = newVault();
  writeFileSync(path, 'nothing of ours');
  for (const place of placesAside(path)) mkdirSync(place);
  await expect(openVault(path, newKeychain())).rejects.toThrow(path);
  expect(readFileSync(path, 'utf8')).toBe('nothing of ours');
});

test('reports correctly how sessions are stored and keeps unreadable ones', async () => {
  const path = newVault();
  const keychain = newKeychain();
  const missing: Keychain = { ...keychain, state: async () => 'missing' };
  const closed: Keychain = { ...keychain, state: async () => 'locked' };
  expect((await openVault(path, missing)).kept).toBe('missing');
  expect((await openVault(path, closed)).kept).toBe('locked');
  const vault = await openVault(path, keychain);
  expect(vault.kept).toBe('encrypted');
  await vault.put(session('a'));
  const written = readFileSync(path);

  expect((await openVault(path, missing)).kept).toBe('missing');
  const locked = await openVault(path, closed);
  expect(locked.kept).toBe('locked');
  await locked.put(session('b'));
  await locked.remove('b');
  expect(readFileSync(path)).toEqual(written);
  expect((await openVault(path, keychain)).list()).toEqual([session('a')]);

  const changed = await openVault(path, newKeychain());
  expect(changed.kept).toBe('changed');
  expect(changed.list()).toEqual([]);
});

test('sessions read with a rotated key are encrypted again', async () => {
  const path = newVault();
  const keychain = newKeychain();
  await (await openVault(path, keychain)).put(session('a'));
  const written = readFileSync(path);
  const renewed: Keychain = {
    ...keychain,
    decrypt: async (encrypted) => ({ ...(await keychain.decrypt(encrypted)), stale: true }),
  };
  expect((await openVault(path, renewed)).list()).toEqual([session('a')]);
  expect(readFileSync(path)).not.toEqual(written);
  expect((await openVault(path, keychain)).list()).toEqual([session('a')]);
});
