import { queryOptions, skipToken } from '@tanstack/react-query';
import type { Shell } from '../transport/host.ts';

/** Whether and how the sessions of the desktop app outlast it; a browser keeps none. */
export const sessionsKeptQuery = (shell: Shell | undefined) =>
  queryOptions({
    queryKey: ['sessions-kept'],
    queryFn: shell ? () => shell.sessionsKept() : skipToken,
    // A keychain that fails later changes it.
    staleTime: 0,
  });
