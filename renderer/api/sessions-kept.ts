import { queryOptions, skipToken } from '@tanstack/react-query';
import type { Shell } from '../transport/host.ts';

/** Whether and how the sessions of the desktop app outlast it; a browser keeps none. */
export const sessionsKeptQuery = (shell: Shell | undefined) =>
  queryOptions({
    queryKey: ['sessions-kept'],
    queryFn: shell ? () => shell.sessionsKept() : skipToken,
    // As the app found it when it started.
    staleTime: Number.POSITIVE_INFINITY,
  });
