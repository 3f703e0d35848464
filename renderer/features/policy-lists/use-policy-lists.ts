import { useMemo } from 'react';
import { policyListKind, type WatchedList, watchedLists } from '../../team/policy-lists.ts';
import { useTeamValue } from '../../team/use-team.ts';

/** Returns the lists that the team watches. */
export function useWatchedLists(): readonly WatchedList[] {
  const documents = useTeamValue((team) => team.documents(policyListKind));
  return useMemo(() => watchedLists(documents), [documents]);
}
