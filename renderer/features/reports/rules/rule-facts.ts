/** Loads the facts that the team's rules use. */
import type { QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ruleKind, rulesIn } from '../../../../shared/team/rules.ts';
import { matchersOf, wordListsIn, wordsKind } from '../../../../shared/team/word-lists.ts';
import { isLocal } from '../../../actions/items.ts';
import { reportedAccountQuery } from '../../../api/reports/event-reports.ts';
import { useTeamValue } from '../../../team/use-team.ts';
import type { Server } from '../../../transport/server.ts';

export function useTeamRules() {
  const ruleDocuments = useTeamValue((team) => team.documents(ruleKind));
  const wordDocuments = useTeamValue((team) => team.documents(wordsKind));
  const rules = useMemo(() => rulesIn(ruleDocuments), [ruleDocuments]);
  const lists = useMemo(() => wordListsIn(wordDocuments), [wordDocuments]);
  const matchers = useMemo(() => matchersOf(lists), [lists]);
  return { rules, lists, matchers };
}

/**
 * Returns when local accounts were created, in milliseconds since the Unix epoch. Omits accounts that can't be loaded.
 */
export async function creationTimes(
  queryClient: QueryClient,
  server: Server,
  userIds: Iterable<string>,
  onLoaded?: () => void,
): Promise<ReadonlyMap<string, number>> {
  const local = [...new Set(userIds)].filter((userId) => isLocal(server, userId));
  const times = await Promise.all(
    local.map(async (userId) => {
      const user = await queryClient.fetchQuery(reportedAccountQuery(server, userId)).catch(() => undefined);
      onLoaded?.();
      return user?.creation_ts === undefined ? [] : [[userId, user.creation_ts * 1000] as const];
    }),
  );
  return new Map(times.flat());
}
