import { queryOptions, skipToken } from '@tanstack/react-query';
import type { SessionsKept } from '../../shared/bridge.ts';
import type { Shell } from '../transport/host.ts';

/** Returns how the desktop app stores sessions; a browser stores none. */
export const sessionPersistenceQuery = (shell: Shell | undefined) =>
  queryOptions({
    queryKey: ['sessions-kept'],
    queryFn: shell ? () => shell.sessionsKept() : skipToken,
    // The keychain can fail later.
    staleTime: 0,
  });

export const sessionPersistenceTexts: Record<SessionsKept, string> = {
  encrypted: /*i18n*/ 'Sessions are encrypted with the system keychain.',
  missing: /*i18n*/ "No system keychain. Sessions aren't saved and end when you quit.",
  locked:
    /*i18n*/ "Couldn't open the system keychain. Earlier sessions are kept; new ones end when you quit. Unlock it and restart Gatehouse.",
  changed:
    /*i18n*/ 'Sessions are encrypted with the system keychain. Earlier ones were unreadable; sign in again.',
  unwritten: /*i18n*/ "Couldn't save changed sessions. They end when you quit.",
};
