/** `safeStorage`: encryption with a key out of the app's reach. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { theApp } from './app.ts';
import { loud } from './loud.ts';
import { settings } from './settings.ts';

const nonceBytes = 12;
const tagBytes = 16;
/** What Chromium on Linux puts before a text: by the keyring's key, or by the one that is the same on every machine. */
const [ofKeyring, ofNobody] = [Buffer.from('v11'), Buffer.from('v10')];
const fixedKey = Buffer.alloc(32, 'peanuts');

/** The person has unlocked what asked for it. */
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
    // As Chromium says of a text that has another key than the one it would encrypt with now.
    return {
      result: Buffer.concat(text).toString('utf8'),
      shouldReEncrypt: version.equals(ofNobody) && hasKey(),
    };
  },
});
