/** Encryption with the key that the operating system keeps for this app and user. */
import { safeStorage } from 'electron';

/** `locked` also if it fails or the user denies access. */
type KeychainState = 'open' | 'locked' | 'missing';

export type Keychain = {
  /** Rejects if encryption fails. */
  state(): Promise<KeychainState>;
  encrypt(text: string): Promise<Buffer>;
  /** `stale` if the key was rotated: the data should be encrypted again. `locked` if the key isn't available now. */
  decrypt(encrypted: Buffer): Promise<{ text: string; stale: boolean } | 'locked'>;
};

export const systemKeychain: Keychain = {
  async state() {
    const isLinux = process.platform === 'linux';
    if (isLinux && safeStorage.getSelectedStorageBackend() === 'basic_text') return 'missing';
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return 'locked';
    // Electron reports encryption as available with any backend.
    if (isLinux) await encrypt('any text');
    return 'open';
  },
  encrypt,
  async decrypt(encrypted) {
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(encrypted);
      return { text: result, stale: shouldReEncrypt };
    } catch (error) {
      // Electron doesn't report this in another way.
      if (error instanceof Error && error.message.includes('temporarily unavailable')) return 'locked';
      throw error;
    }
  },
};

/** Without a keyring, Chromium on Linux uses a hard-coded key. */
const fixedKey = Buffer.from('v10');

async function encrypt(text: string): Promise<Buffer> {
  const encrypted = await safeStorage.encryptStringAsync(text);
  if (process.platform === 'linux' && encrypted.subarray(0, fixedKey.length).equals(fixedKey)) {
    throw new Error('the keychain has no key');
  }
  return encrypted;
}
