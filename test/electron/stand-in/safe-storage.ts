/** `safeStorage`: encryption with a key that the app can't access. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { theApp } from './app.ts';
import { loud } from './loud.ts';
import { settings } from './settings.ts';

const nonceBytes = 12;
const tagBytes = 16;
/** Chromium's prefixes on Linux: `v11` for the keyring's key, `v10` for the hardcoded key. */
const [ofKeyring, ofNobody] = [Buffer.from('v11'), Buffer.from('v10')];
const fixedKey = Buffer.alloc(32, 'peanuts');

/** Resolves when the user unlocks the keychain. */
export const unlocked = Promise.withResolvers<void>();

const hasKey = () => !['basic_text', 'locked'].includes(settings.encryption);

function key(version: Buffer): Buffer {
  if (version.equals(ofNobody)) return fixedKey;
  if (settings.encryption === 'unavailable') throw new Error('Encryption is not available');
  if (!hasKey()) {
    throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.');
  }
  if (!existsSync(settings.keychain)) writeFileSync(settings.keychain, randomBytes(32), { mode: 0o600 });
  return readFileSync(settings.keychain);
}

export const safeStorage = loud('safeStorage', {
  async isAsyncEncryptionAvailable() {
    if (settings.encryption === 'asking') await unlocked.promise;
    return theApp.isReady() && settings.encryption !== 'unavailable';
  },
  getSelectedStorageBackend() {
    if (!theApp.isReady()) return 'unknown';
    return ['available', 'asking', 'refused', 'locked'].includes(settings.encryption)
      ? 'gnome_libsecret'
      : 'basic_text';
  },
  async encryptStringAsync(text: string) {
    if (settings.encryption === 'refused') {
      throw new Error('Error while encrypting the text provided to safeStorage.encryptStringAsync.');
    }
    const nonce = randomBytes(nonceBytes);
    const version = hasKey() ? ofKeyring : ofNobody;
    const cipher = createCipheriv('aes-256-gcm', key(version), nonce);
    return Buffer.concat([version, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  async decryptStringAsync(encrypted: Buffer) {
    if (settings.encryption === 'refused') {
      throw new Error('safeStorage.decryptStringAsync is temporarily unavailable. Please try again.');
    }
    const version = encrypted.subarray(0, ofKeyring.length);
    const sealed = encrypted.subarray(ofKeyring.length);
    const decipher = createDecipheriv('aes-256-gcm', key(version), sealed.subarray(0, nonceBytes));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const text = [decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()];
    // Chromium sets this if the text would now be encrypted with another key.
    return {
      result: Buffer.concat(text).toString('utf8'),
      shouldReEncrypt: version.equals(ofNobody) && hasKey(),
    };
  },
});
