import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Checkbox } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import type { TeamEntry } from '../../team/entries.ts';
import type { Team } from '../../team/team.ts';
import { useTeam } from '../../team/use-team.ts';
import { number } from '../../words/format.ts';
import type { Action } from '../action.ts';
import { say } from '../action-words.ts';
import { type Item, keyOf, partOf, subjectOf } from '../items.ts';
import { refresh } from '../jobs/refresh.ts';
import classes from './ActionPanel.module.css';

/** To look each of more up in the log would take longer than to be told afterwards how many were so before. */
const mostLookedUp = 100;

/** `step`: the action itself, or which of its steps. */
type Meanwhile = { step: Action; by: string; at: number; items: readonly Item[] };

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
      for (const item of items) refresh(queryClient, server, item, step.changes);
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

type Props = {
  action: Action;
  /** To how many it is to be done. */
  count: number;
  /** What the team's log says of it; nothing where the server alone says that it is so. */
  meanwhile: readonly Meanwhile[];
  /** There is nothing left of it to do. */
  isDone: boolean;
  /** It was sent from here before, and no reply came. */
  isSent: boolean;
  isAgreed: boolean;
  onAgree: (isAgreed: boolean) => void;
};

/** Somebody was faster: what is all done is done again only by whoever says so. */
export function MeanwhileNote(props: Props) {
  const { action, count, meanwhile, isDone, isSent, isAgreed, onAgree } = props;
  return (
    <div className={classes.warning} role="alert">
      {meanwhile.map(({ step, by, at, items }) => (
        <div key={step.id}>
          <Trans
            id={sentenceOf(step !== action, count > 1)}
            values={{ step: say(step, 'label', items), done: number(items.length) }}
            components={{
              0: <HazardText text={by} />,
              1: <RelativeTime timestamp={at} long />,
            }}
          />
        </div>
      ))}
      {meanwhile.length === 0 &&
        (isSent ? i18n.t('Already done, by your request or another admin.') : i18n.t('Already done.'))}
      {isDone && (
        <Checkbox
          size="xs"
          mt={6}
          label={i18n.t('Continue anyway')}
          checked={isAgreed}
          onChange={(event) => onAgree(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}

function sentenceOf(isStep: boolean, isOfMany: boolean): string {
  if (isStep)
    return isOfMany
      ? /*i18n*/ '<0/> already did “{step}” for {done} of them <1/>.'
      : /*i18n*/ '<0/> already did “{step}” <1/>.';
  return isOfMany
    ? /*i18n*/ '<0/> already did this for {done} of them <1/>.'
    : /*i18n*/ '<0/> already did this <1/>.';
}
