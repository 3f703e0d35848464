import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { serverVersionQuery } from '../../api/server.ts';
import { upgradeCheckQuery } from '../../api/upgrade-check.ts';
import { useServer } from '../../console-context.ts';
import { checkOutcome } from './check-outcome.ts';
import type { PlanModel } from './use-upgrade-plan.ts';

/** Looks at the server when a person asks for it, and moves the plan on by what it says. */
export function useServerCheck(model: PlanModel, showSection: (id: string) => void) {
  const { plan, sections, done: ticked, mark, isFromServer, versionQuery } = model;
  const server = useServer();
  const queryClient = useQueryClient();
  const query = useQuery(upgradeCheckQuery(server));

  const serverSays = versionQuery.data?.server_version;
  // What was found of one version says nothing about another.
  const found = serverSays === undefined || serverSays === query.data?.version ? query.data : undefined;
  const outcome = useMemo(
    () => (plan && found ? checkOutcome(plan, sections, found) : undefined),
    [plan, sections, found],
  );

  async function run() {
    const { data, isError } = await query.refetch();
    if (!data || isError) return;
    queryClient.setQueryData(serverVersionQuery(server).queryKey, { server_version: data.version });
    // A plan that nobody has begun follows the server to another version, and so begins with that.
    const isOfThisPlan = !isFromServer || serverSays === undefined || data.version === serverSays;
    if (!plan || sections.length === 0 || !isOfThisPlan) return;
    const { done, undone, next } = checkOutcome(plan, sections, data);
    const changes = done.some((id) => !ticked.has(id)) || undone.some((id) => ticked.has(id));
    if (changes) mark(done, undone);
    if (next !== undefined) showSection(next);
  }

  return {
    run: () => void run(),
    isRunning: query.isFetching,
    error: query.isFetching ? null : query.error,
    outcome,
    checkedAt: query.dataUpdatedAt,
  };
}

export type ServerCheck = ReturnType<typeof useServerCheck>;
