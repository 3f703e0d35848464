/** The steps of a job: which action each entry is, and which follow one another. */
import type { Server } from '../../transport/server.ts';
import type { Action, Answers } from '../action.ts';
import { markReviewed } from '../action.ts';
import { actionById } from '../catalogue/catalogue.ts';
import { markReports } from '../catalogue/reports.ts';
import { type Item, keyOf } from '../items.ts';
import { chosenOf, reaches } from '../steps.ts';
import { isOwnDoing, type Job, type JobItem } from './job.ts';

/** What is to be done to an item, in this order. */
export function entriesFor(
  server: Server,
  action: Action,
  item: Item,
  { fields }: Answers,
): Pick<JobItem, 'item' | 'step'>[] {
  if (!action.steps) return [{ item }];
  const { further = [], ...alone } = item;
  const reached = chosenOf(action, fields).filter((step) => reaches(step, server, item));
  const marks = further.length > 0 || (fields[markReviewed] === true && (item.reports ?? []).length > 0);
  return [
    ...reached.map(({ id }) => ({ item: alone, step: id })),
    ...(marks ? [{ item, step: markReports.id }] : []),
  ];
}

export const actionOf = ({ action }: Pick<Job, 'action'>, { step }: Pick<JobItem, 'step'>) =>
  actionById(step ?? action);

/** What its undo would take back: what others had done before is not among it. */
export const undoable = (job: Pick<Job, 'action' | 'items'>): JobItem[] =>
  job.items.filter((entry) => isOwnDoing(entry) && actionOf(job, entry)?.undo !== undefined);

/** What was done and can't be taken back, though other steps can. */
export const lasting = (job: Pick<Job, 'action' | 'items'>): JobItem[] =>
  job.items.filter(
    (entry) => entry.step !== undefined && isOwnDoing(entry) && actionOf(job, entry)?.undo === undefined,
  );

/** The chains of a job's entries: the steps of one item, in their order; all else each by itself. */
const chained = (items: readonly JobItem[]): JobItem[][] => [
  ...Map.groupBy(items, ({ item, step, transaction }) =>
    step === undefined ? transaction : keyOf(item),
  ).values(),
];

/**
 * What is to be begun, by its transactions: of a chain one after the other, from the first that isn't done. A step
 * that failed, or of which nobody knows whether it was done, holds those that follow it. What is taken back is so from
 * the last step on, and there nothing holds the others.
 */
export function chainsOf({ items, direction }: Job, isAmong: (transaction: string) => boolean): string[][] {
  const isOpen = ({ state, transaction }: JobItem) =>
    state === 'task' || (state === 'waiting' && isAmong(transaction));
  const openOf = (chain: readonly JobItem[]) => {
    if (direction === 'undo') return chain.filter(isOpen).toReversed();
    const left = chain.filter(({ state }) => state !== 'done');
    const held = left.findIndex((entry) => !isOpen(entry));
    return held === -1 ? left : left.slice(0, held);
  };
  return chained(items)
    .map(openOf)
    .filter((open) => open.some(({ state }) => state === 'waiting'))
    .map((open) => open.map(({ transaction }) => transaction));
}

/** Those that wait behind these, each in its chain. */
export function behind(items: readonly JobItem[], transactions: ReadonlySet<string>): string[] {
  return chained(items).flatMap((chain) => {
    const from = chain.findIndex(({ transaction }) => transactions.has(transaction));
    const those = from === -1 ? [] : chain.slice(from);
    return those.filter(({ state }) => state === 'waiting').map(({ transaction }) => transaction);
  });
}

/** Whether something waits that no failure holds. */
export const canGoOn = (job: Job): boolean =>
  job.items.some(({ state }) => state === 'running') || chainsOf(job, () => true).length > 0;
