/** Settings of the simulated machine, chosen by a test. */
import type { Rectangle } from 'electron';

export type Settings = {
  /** File with the key of `safeStorage`. It's outside the app's profile, like the system's keychain. */
  keychain: string;
  /**
   * State of the keyring. `basic_text` is Chromium's fallback on a Linux desktop without a keyring. `asking` waits
   * until the user unlocks the keychain; `refused` means that the user declined. With a `locked` keyring, Chromium
   * uses the fallback key but reports encryption as available.
   */
  encryption: 'available' | 'unavailable' | 'basic_text' | 'asking' | 'refused' | 'locked';
  /** Uses the Chromium that the test assigns; otherwise the app starts one. */
  sharedChromium?: boolean;
  displays: Rectangle[];
  packaged: boolean;
  /** Version of the app; 0.1.0 by default. */
  version?: string;
  /** Simulated platform; defaults to the real one. */
  platform?: NodeJS.Platform;
  /** File to which Squirrel installs the update after the app quits. macOS only. */
  installed?: string;
  /** Folder with the files next to the app's asar in a package. */
  resources?: string;
  /** Notification support of the system; true by default. */
  notifications?: boolean;
  /** Error for each notification instead of showing it. */
  notificationFailure?: string;
  /** The system's languages in order of preference. */
  languages?: string[];
};

const settingsVariable = 'STAND_IN_SETTINGS';

export const settings: Settings = JSON.parse(process.env[settingsVariable] ?? '{}');
