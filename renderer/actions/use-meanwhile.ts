import { useEffect, useMemo, useState } from 'react';
import { useConsole, useServer } from '../console-context.ts';
import type { TeamEntry } from '../team/entries.ts';
import type { Team } from '../team/team.ts';
import { useTeam } from '../team/use-team.ts';
import type { Action } from './action.ts';
import { refresh } from './jobs/refresh.ts';
import { type Item, keyOf, subjectOf } from './subject.ts';

/** To look each of more up in the log would take longer than to be told afterwards how many were so before. */
const mostLookedUp = 100;

export type Meanwhile = { by: string; at: number; items: readonly Item[] };

/**
 * To which of these the team has done the same since the panel was opened, and who was the last to do it. As soon as
 * the log says so, the server is asked how things are.
 */
export function useMeanwhile(action: Action, items: readonly Item[]): Meanwhile | undefined {
  const server = useServer();
  const { queryClient } = useConsole();
  const team = useTeam();
  const lastOf = (item: Item) => (items.length > mostLookedUp ? undefined : lastDone(team, action, item));
  // What was in the log by then is no news, whatever time its author's clock has.
  const [before] = useState(() => new Map(items.map((item) => [keyOf(item), nameOf(lastOf(item))])));

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked for is the log's
  const found = useMemo(
    () =>
      items.flatMap((item) => {
        const entry = lastOf(item);
        const isNews = entry?.outcome === 'done' && nameOf(entry) !== before.get(keyOf(item));
        return isNews ? [{ item, entry }] : [];
      }),
    [team, action, items, before],
  );

  const names = found.map(({ item }) => keyOf(item)).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what is found
  useEffect(() => {
    for (const { item } of found) refresh(queryClient, server.id, item, action.changes);
  }, [names]);

  const [first] = found.toSorted((one, other) => other.entry.at - one.entry.at);
  return first && { by: first.entry.by, at: first.entry.at, items: found.map(({ item }) => item) };
}

type Done = Extract<TeamEntry, { type: 'action' }>;

function lastDone(team: Team, { id }: Action, item: Item): Done | undefined {
  const subject = subjectOf(item);
  const isSame = (entry: TeamEntry): entry is Done =>
    entry.type === 'action' && entry.action === id && entry.outcome !== 'failed';
  return subject && team.timeline(subject).find(isSame);
}

const nameOf = (entry: Done | undefined) => entry && `${entry.by} ${entry.at} ${entry.outcome}`;
