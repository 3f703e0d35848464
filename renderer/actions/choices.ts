/** What can be done here: the catalogue, less what this server does not offer and what makes no sense now. */
import type { Offered } from '../api/offered.ts';
import type { Server } from '../transport/server.ts';
import type { Action, Known } from './action.ts';
import { catalogue } from './catalogue/catalogue.ts';
import { isLocal, serverPart } from './local-users.ts';
import { reachedBy } from './steps.ts';
import { type ActedOn, type Item, itemsOf, type Kind, keyOf, userOf } from './subject.ts';

export type Choice = {
  action: Action;
  items: readonly Item[];
  /** How many are of other servers, which this one can do nothing about. */
  remote: number;
  known: Known;
};

/** Administration of accounts and rooms, which has its place on their own pages and not in the menu of a report. */
const notInTriage = new Set([
  'make-administrator',
  'revoke-administrator',
  'reset-password',
  'allow-cross-signing-reset',
  'log-in-as',
  'add-threepid',
  'add-external-id',
  'delete-user-media',
  'purge-room',
  'purge-history',
  'delete-extremities',
]);

const isBecauseOfReport = ({ reports = [] }: Item) => reports.length > 0;

export function choicesOf(
  server: Server,
  on: ActedOn,
  offered: Pick<Offered, 'has'>,
  known: Known,
): Choice[] {
  // They can be everyone on the server: each list is made once.
  const byKind = new Map<Kind, { all: readonly Item[]; local: readonly Item[] }>();
  const listsOf = (kind: Kind) => {
    const all = itemsOf(on, kind);
    const lists = { all, local: all.filter((item) => isOfServer(server, item)) };
    byKind.set(kind, lists);
    return lists;
  };
  return catalogue.flatMap((action): Choice[] => {
    const { all, local } = byKind.get(action.kind) ?? listsOf(action.kind);
    const those = action.localOnly ? local : all;
    const items = those.filter(
      (item) => action.accepts?.(item) !== false && (!action.appliesTo || isLeft(action, item, those, known)),
    );
    const isOffered =
      action.needs.every((endpoint) => offered.has(endpoint)) &&
      (action.steps?.some((step) => reachedBy(step, { server, offered, items }).length > 0) ?? true);
    if (items.length === 0 || !isOffered) return [];
    if (notInTriage.has(action.id) && items.some(isBecauseOfReport)) return [];
    if (items.length > 1 && (action.shownOnce || action.oneOnly)) return [];
    if (items.length === 1 && action.applies && !action.applies(known)) return [];
    return [{ action, items, remote: all.length - those.length, known }];
  });
}

/** Of many uploads nobody asks how each stands. */
function isLeft({ appliesTo }: Action, item: Item, { length }: readonly Item[], { media }: Known): boolean {
  const medium = item.kind === 'media' ? media?.get(item.uri) : undefined;
  return (medium === undefined && length > 1) || appliesTo?.(medium) !== false;
}

/** Whether there was something to do when this was chosen, and by now there isn't. */
export function isSoByNow({ action, items: [item, ...others] }: Choice, on: ActedOn, now: readonly Choice[]) {
  if (!(action.applies || action.appliesTo) || !item || others.length > 0) return false;
  const isStillThere = itemsOf(on, action.kind).some((each) => keyOf(each) === keyOf(item));
  return isStillThere && !now.some((choice) => choice.action === action);
}

/** Those that are buttons: a few, most with a key of their own. */
export function usualOf(choices: readonly Choice[]): Choice[] {
  const byKey = new Map<string, Choice>();
  for (const choice of choices) {
    const { id, usual, key = usual && id } = choice.action;
    if (key !== undefined && !byKey.has(key)) byKey.set(key, choice);
  }
  const [usual, others] = [true, undefined].map((is) =>
    [...byKey.values()].filter(({ action }) => action.usual === is),
  );
  // Harmless ones first: what is destructive doesn't take their place when one of them is not offered.
  return harmlessFirst([...(usual ?? []), ...(others ?? [])].slice(0, mostButtons));
}

export const harmlessFirst = (choices: readonly Choice[]): Choice[] =>
  choices.toSorted(
    (one, other) => Number(one.action.destructive ?? false) - Number(other.action.destructive ?? false),
  );

/** Beside the menu. */
export const mostButtons = 3;

/** Whether with it one would get hold of the account that one is signed in with, which the app lets no page do. */
export const takesOver = ({ connection }: Server, { action, items }: Choice) =>
  action.takesOver === true && items.some((item) => userOf(item) === connection.userId);

const isOfServer = (server: Server, item: Item) =>
  item.kind === 'media'
    ? item.uri.startsWith(`mxc://${serverPart(server.connection.userId)}/`)
    : isLocal(server, userOf(item) ?? '');
