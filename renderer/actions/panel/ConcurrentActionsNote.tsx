import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Checkbox } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import type { Conflict } from '../../../shared/team/decisions.ts';
import type { TeamEntry } from '../../../shared/team/entries.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import type { Team } from '../../team/team.ts';
import { useTeam } from '../../team/use-team.ts';
import { number } from '../../words/format.ts';
import type { Action } from '../action.ts';
import { actionText } from '../action-words.ts';
import { conflictText } from '../decision-conflicts.ts';
import { detailOf, type Item, keyOf, subjectOf } from '../items.ts';
import { refresh } from '../jobs/refresh.ts';
import classes from './ActionPanel.module.css';

/** More items aren't looked up in the log. */
const maxLookups = 100;

/** `step`: the action itself or one of its steps. */
type ConcurrentAction = { step: Action; by: string; at: number; items: readonly Item[] };

/** Finds the same actions by other admins since the panel was opened, and refetches the items' state. */
export function useConcurrentActions(action: Action, items: readonly Item[]): readonly ConcurrentAction[] {
  const server = useServer();
  const { queryClient } = useConsole();
  const team = useTeam();
  const steps = action.steps ?? [action];
  const nameIn = (step: Action, item: Item) => `${step.id} ${keyOf(item)}`;
  const lastOf = (step: Action, item: Item) =>
    items.length > maxLookups ? undefined : lastDone(team, step, item);
  // Entries rather than times: clocks can differ.
  const [before] = useState(
    () =>
      new Map(steps.flatMap((step) => items.map((item) => [nameIn(step, item), nameOf(lastOf(step, item))]))),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the query depends on the log only
  const found = useMemo(
    () =>
      steps.flatMap((step): ConcurrentAction[] => {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each result
  useEffect(() => {
    for (const { step, items } of found)
      for (const item of items) refresh(queryClient, server, item, step.changes);
  }, [names]);

  return found;
}

type ActionEntry = Extract<TeamEntry, { type: 'action' }>;

function lastDone(team: Team, { id }: Action, item: Item): ActionEntry | undefined {
  const subject = subjectOf(item);
  const part = detailOf(item);
  const isSame = (entry: TeamEntry): entry is ActionEntry =>
    entry.type === 'action' &&
    entry.action === id &&
    entry.outcome !== 'failed' &&
    // The same file or room.
    (part === undefined || part === entry.detail);
  return subject && team.timeline(subject).find(isSame);
}

const nameOf = (entry: ActionEntry | undefined) => entry && `${entry.by} ${entry.at} ${entry.outcome}`;

type Props = {
  action: Action;
  /** Number of items. */
  count: number;
  /** From the log; empty if only the server's state shows that there is nothing left to do. */
  meanwhile: readonly ConcurrentAction[];
  /** Decisions by colleagues just before the own one, which wasn't sent. */
  conflicts: readonly Conflict[];
  /** Nothing left to do, or a colleague was faster. */
  isDone: boolean;
  /** Sent before, without a reply. */
  isSent: boolean;
  isAgreed: boolean;
  onAgree: (isAgreed: boolean) => void;
};

/** Warns that another admin has done the same. If nothing is left to do, repeating needs a checkbox. */
export function ConcurrentActionsNote(props: Props) {
  const { action, count, meanwhile, conflicts, isDone, isSent, isAgreed, onAgree } = props;
  return (
    <div className={classes.warning} role="alert">
      {meanwhile.map(({ step, by, at, items }) => (
        <div key={step.id}>
          <Trans
            id={sentenceOf(step !== action, count > 1)}
            values={{ step: actionText(step, 'label', items), done: number(items.length) }}
            components={{
              0: <HazardText text={by} />,
              1: <RelativeTime timestamp={at} long />,
            }}
          />
        </div>
      ))}
      {conflicts.map((conflict) => (
        <div key={conflict.eventId}>
          <Trans
            id={/*i18n*/ '<0/> just decided this ({what}). You sent nothing.'}
            values={{ what: conflictText(conflict) }}
            components={{ 0: <HazardText text={conflict.by} /> }}
          />
        </div>
      ))}
      {meanwhile.length === 0 &&
        conflicts.length === 0 &&
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
