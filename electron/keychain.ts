/** Encryption with a key that the operating system keeps for this app and this person. */
import { safeStorage } from 'electron';

export type Keychain = {
  available(): Promise<boolean>;
  encrypt(text: string): Promise<Buffer>;
  /**
   * `stale` where the key has been renewed since: what was read is to be encrypted again. `locked` where the key can't
   * be had now, as where the person does not let the app have it.
   */
  decrypt(encrypted: Buffer): Promise<{ text: string; stale: boolean } | 'locked'>;
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
  async decrypt(encrypted) {
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(encrypted);
      return { text: result, stale: shouldReEncrypt };
    } catch (error) {
      // Electron has no other sign of it.
      if (error instanceof Error && error.message.includes('temporarily unavailable')) return 'locked';
      throw error;
    }
  },
};
