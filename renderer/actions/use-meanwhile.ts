import { useEffect, useMemo, useState } from 'react';
import { useConsole, useServer } from '../console-context.ts';
import type { TeamEntry } from '../team/entries.ts';
import type { Team } from '../team/team.ts';
import { useTeam } from '../team/use-team.ts';
import type { Action } from './action.ts';
import { refresh } from './jobs/refresh.ts';
import { type Item, keyOf, partOf, subjectOf } from './subject.ts';

/** To look each of more up in the log would take longer than to be told afterwards how many were so before. */
const mostLookedUp = 100;

/** `step`: the action itself, or which of its steps. */
export type Meanwhile = { step: Action; by: string; at: number; items: readonly Item[] };

/**
 * To which of these the team has done the same, or a step of it, since the panel was opened, and who was the last to do
 * it. As soon as the log says so, the server is asked how things are.
 */
export function useMeanwhile(action: Action, items: readonly Item[]): readonly Meanwhile[] {
  const server = useServer();
  const { queryClient } = useConsole();
  const team = useTeam();
  const steps = action.steps ?? [action];
  const nameIn = (step: Action, item: Item) => `${step.id} ${keyOf(item)}`;
  const lastOf = (step: Action, item: Item) =>
    items.length > mostLookedUp ? undefined : lastDone(team, step, item);
  // What was in the log by then is no news, whatever time its author's clock has.
  const [before] = useState(
    () =>
      new Map(steps.flatMap((step) => items.map((item) => [nameIn(step, item), nameOf(lastOf(step, item))]))),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked for is the log's
  const found = useMemo(
    () =>
      steps.flatMap((step): Meanwhile[] => {
        const news = items.flatMap((item) => {
          const entry = lastOf(step, item);
          const isNews = entry?.outcome === 'done' && nameOf(entry) !== before.get(nameIn(step, item));
          return isNews ? [{ item, entry }] : [];
        });
        const [last] = news.toSorted((one, other) => other.entry.at - one.entry.at);
        return last
          ? [{ step, by: last.entry.by, at: last.entry.at, items: news.map(({ item }) => item) }]
          : [];
      }),
    [team, action, items, before],
  );

  const names = found.map(({ step, items }) => items.map((item) => nameIn(step, item))).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what is found
  useEffect(() => {
    for (const { step, items } of found)
      for (const item of items) refresh(queryClient, server.id, item, step.changes);
  }, [names]);

  return found;
}

type Done = Extract<TeamEntry, { type: 'action' }>;

function lastDone(team: Team, { id }: Action, item: Item): Done | undefined {
  const subject = subjectOf(item);
  const part = partOf(item);
  const isSame = (entry: TeamEntry): entry is Done =>
    entry.type === 'action' &&
    entry.action === id &&
    entry.outcome !== 'failed' &&
    // One upload of somebody's is not another, nor is a ban from one room one from another.
    (part === undefined || part === entry.detail);
  return subject && team.timeline(subject).find(isSame);
}

const nameOf = (entry: Done | undefined) => entry && `${entry.by} ${entry.at} ${entry.outcome}`;
