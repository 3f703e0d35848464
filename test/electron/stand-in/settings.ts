/** What a test decides about the machine that the app believes to be on. */
import type { Rectangle } from 'electron';

export type Settings = {
  /** Where the key of `safeStorage` is kept: the system's keychain is not among the app's own files. */
  keychain: string;
  /**
   * `basic_text` is what Chromium falls back to on a Linux desktop without a keyring; `asking` waits for a person who
   * unlocks it, and `refused` is by one who does not. Where the keyring of a desktop that has one is `locked`, Chromium
   * encrypts as without one, and says that it can.
   */
  encryption: 'available' | 'unavailable' | 'basic_text' | 'asking' | 'refused' | 'locked';
  /** Whether the test says which Chromium the windows are in; otherwise the app starts one of its own. */
  sharedChromium?: boolean;
  displays: Rectangle[];
  packaged: boolean;
  /** Of the app; the first one where that isn't said. */
  version?: string;
  /** Which system it says to be; the one that it is where that isn't said. */
  platform?: NodeJS.Platform;
  /** Where Squirrel puts what it has got when the app has ended. macOS only. */
  installed?: string;
  /** What stands beside the app's asar in a package. */
  resources?: string;
  /** Whether the system shows notifications; it does where that isn't said. */
  notifications?: boolean;
  /** What it says to each instead of showing it. */
  notificationFailure?: string;
  /** The system's languages, the preferred one first. */
  languages?: string[];
};

const settingsVariable = 'STAND_IN_SETTINGS';

export const settings: Settings = JSON.parse(process.env[settingsVariable] ?? '{}');
