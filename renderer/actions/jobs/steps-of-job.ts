/** The steps of a job: the action of each item, and the order of steps. */
import type { Answers } from '../../../shared/team/action-inputs.ts';
import type { Server } from '../../transport/server.ts';
import type { Action } from '../action.ts';
import { markReviewed } from '../action.ts';
import { actionById } from '../catalogue/catalogue.ts';
import { markReports } from '../catalogue/reports.ts';
import { type Item, keyOf, undoKeyOf } from '../items.ts';
import { reaches, selectedSteps } from '../steps.ts';
import { undosOf } from '../undo-stack.ts';
import { isOwnChange, type Job, type JobItem } from './job.ts';

/** Returns the steps for an item, in order. */
export function entriesFor(
  server: Server,
  action: Action,
  item: Item,
  { fields }: Answers,
): Pick<JobItem, 'item' | 'step'>[] {
  if (!action.steps) return [{ item }];
  const { further = [], ...alone } = item;
  const reached = selectedSteps(action, fields).filter((step) => reaches(step, server, item));
  const marks = further.length > 0 || (fields[markReviewed] === true && (item.reports ?? []).length > 0);
  return [
    ...reached.map(({ id }) => ({ item: alone, step: id })),
    ...(marks ? [{ item, step: markReports.id }] : []),
  ];
}

export const actionOf = ({ action }: Pick<Job, 'action'>, { step }: Pick<JobItem, 'step'>) =>
  actionById(step ?? action);

/** Returns the items that an undo reverts: the job's own changes whose action has an undo, and whose subject still exists. */
export const undoableItems = (server: Server, job: Pick<Job, 'action' | 'items'>): JobItem[] =>
  job.items.filter(
    (entry) =>
      isOwnChange(entry) &&
      actionOf(job, entry)?.undo !== undefined &&
      !undosOf(server).isSubjectEnded(undoKeyOf(entry.item), entry.at),
  );

/** Returns the steps that were done and can't be undone. */
export const irreversibleItems = (job: Pick<Job, 'action' | 'items'>): JobItem[] =>
  job.items.filter(
    (entry) => entry.step !== undefined && isOwnChange(entry) && actionOf(job, entry)?.undo === undefined,
  );

/** Groups the steps of one item into a chain, in order. Items without steps are chains of one. */
const chained = (items: readonly JobItem[]): JobItem[][] => [
  ...Map.groupBy(items, ({ item, step, transaction }) =>
    step === undefined ? transaction : keyOf(item),
  ).values(),
];

/**
 * Returns the chains of transactions to run. In a chain, a step that failed or whose result is unknown blocks the steps
 * after it. An undo runs from the last step to the first, and nothing blocks it.
 */
export function chainsOf(
  { items, direction }: Job,
  isIncluded: (transaction: string) => boolean,
): string[][] {
  const isOpen = ({ state, transaction }: JobItem) =>
    state === 'task' || (state === 'waiting' && isIncluded(transaction));
  const openOf = (chain: readonly JobItem[]) => {
    if (direction === 'undo') return chain.filter(isOpen).toReversed();
    const left = chain.filter(({ state }) => state !== 'done');
    const blocked = left.findIndex((entry) => !isOpen(entry));
    return blocked === -1 ? left : left.slice(0, blocked);
  };
  return chained(items)
    .map(openOf)
    .filter((open) => open.some(({ state }) => state === 'waiting'))
    .map((open) => open.map(({ transaction }) => transaction));
}

/** Returns the waiting transactions of each chain from the first of these on. */
export function waitingAfter(items: readonly JobItem[], transactions: ReadonlySet<string>): string[] {
  return chained(items).flatMap((chain) => {
    const from = chain.findIndex(({ transaction }) => transactions.has(transaction));
    const those = from === -1 ? [] : chain.slice(from);
    return those.filter(({ state }) => state === 'waiting').map(({ transaction }) => transaction);
  });
}

/** Whether resuming the job would send anything. */
export const canGoOn = (job: Job): boolean =>
  job.items.some(({ state }) => state === 'running') || chainsOf(job, () => true).length > 0;
