import type { SessionsKept } from '../../shared/bridge.ts';

/** What the desktop app does with sessions, as it is on this machine. */
export const sessionsKeptWords: Record<SessionsKept, string> = {
  encrypted: /*i18n*/ "Sessions are encrypted with this system's keychain.",
  missing:
    /*i18n*/ 'This system has no keychain for Gatehouse, so sessions end with the app: they are never written down unencrypted.',
  locked:
    /*i18n*/ "The system's keychain could not be opened when Gatehouse started. Sessions from before stay as they are, and new ones end with the app: unlock it, then start Gatehouse again.",
  changed:
    /*i18n*/ "Sessions are encrypted with this system's keychain. Those from before could not be read (a new key, or a damaged file): sign in again.",
  unwritten: /*i18n*/ 'Sessions that have changed end with the app: they could not be written down.',
};
