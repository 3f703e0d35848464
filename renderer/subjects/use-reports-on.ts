import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { reportsOnSenderQuery } from '../api/event-reports.ts';
import { useServer } from '../console-context.ts';

/**
 * Returns the newest reports on a user's events, by their numbers.
 *
 * @param isAsked whether they are loaded for this; otherwise these are the ones that something else has loaded
 */
export function useReportsOn(userId: string | null, isAsked = true): ReadonlySet<number> {
  const { data } = useQuery({
    ...reportsOnSenderQuery(useServer(), userId ?? ''),
    enabled: isAsked && userId !== null,
  });
  return useMemo(() => new Set(data?.event_reports.map(({ id }) => id)), [data]);
}
