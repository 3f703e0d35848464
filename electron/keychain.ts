/** Encryption with a key that the operating system keeps for this app and this person. */
import { safeStorage } from 'electron';

export type Keychain = {
  available(): Promise<boolean>;
  encrypt(text: string): Promise<Buffer>;
  decrypt(encrypted: Buffer): Promise<string>;
};

export const systemKeychain: Keychain = {
  async available() {
    // Without a keyring, Chromium on Linux "encrypts" with a key that is the same on every machine.
    if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') {
      return false;
    }
    return safeStorage.isAsyncEncryptionAvailable();
  },
  encrypt: (text) => safeStorage.encryptStringAsync(text),
  decrypt: async (encrypted) => (await safeStorage.decryptStringAsync(encrypted)).result,
};
