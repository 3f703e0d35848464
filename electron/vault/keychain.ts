/** Encryption with a key that the operating system keeps for this app and this person. */
import { safeStorage } from 'electron';

/** Whether its key can be had: it is `locked` also where it fails, or the person does not let the app have it. */
type KeychainState = 'open' | 'locked' | 'missing';

export type Keychain = {
  /** Rejects where it fails. */
  state(): Promise<KeychainState>;
  encrypt(text: string): Promise<Buffer>;
  /**
   * `stale` where the key has been renewed since: what was read is to be encrypted again. `locked` where the key can't
   * be had now.
   */
  decrypt(encrypted: Buffer): Promise<{ text: string; stale: boolean } | 'locked'>;
};

export const systemKeychain: Keychain = {
  async state() {
    const isLinux = process.platform === 'linux';
    if (isLinux && safeStorage.getSelectedStorageBackend() === 'basic_text') return 'missing';
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return 'locked';
    // It says that it is available whichever key it has.
    if (isLinux) await encrypt('any text');
    return 'open';
  },
  encrypt,
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

/** With which Chromium on Linux "encrypts" where it gets no key from a keyring: it is the same on every machine. */
const fixedKey = Buffer.from('v10');

async function encrypt(text: string): Promise<Buffer> {
  const encrypted = await safeStorage.encryptStringAsync(text);
  if (process.platform === 'linux' && encrypted.subarray(0, fixedKey.length).equals(fixedKey)) {
    throw new Error('the keychain has no key');
  }
  return encrypted;
}
