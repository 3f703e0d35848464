/** What can be done here: the catalogue, less what this server does not offer and what makes no sense now. */

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { membershipQuery } from '../../api/memberships.ts';
import { type Offered, offeredQuery } from '../../api/offered.ts';
import { roomBlockQuery, roomQuery } from '../../api/room.ts';
import { anyQuarantinedQuery, userQuery } from '../../api/user.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { untilAskedAgain } from '../../query-client.ts';
import type { Server } from '../../transport/server.ts';
import type { Action, Known } from '../action.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import { type ActedOn, type Item, isLocal, itemsOf, type Kind, keyOf, serverPart, userOf } from '../items.ts';
import { targetsOf } from '../steps.ts';

export type ActionBarProps = {
  on: ActedOn;
  /** What it is on is on its way: its keys wait for it. */
  isComing?: boolean;
  /** Something was done or is under way, and the panel is closed; its reports are `reviewed` by that, or not. */
  onActed?: (how: { reviewed: boolean }) => void;
  /** Of these actions only. */
  only?: readonly Action['id'][];
  /** What the screen knows already of the one thing that is acted on. */
  known?: Pick<Known, 'media' | 'redacted'>;
  /** Keys and palette are another bar's. */
  quiet?: boolean;
};

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

function choicesOf(server: Server, on: ActedOn, offered: Pick<Offered, 'has'>, known: Known): Choice[] {
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
      (action.steps?.some((step) => targetsOf(step, { server, offered, items }).length > 0) ?? true);
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
const takesOver = ({ connection }: Server, { action, items }: Choice) =>
  action.takesOver === true && items.some((item) => userOf(item) === connection.userId);

const isOfServer = (server: Server, item: Item) =>
  item.kind === 'media'
    ? item.uri.startsWith(`mxc://${serverPart(server.connection.userId)}/`)
    : isLocal(server, userOf(item) ?? '');

// What there is to choose from, of what can be done to these.

/** So often one looks again while a panel is open. */
const askingMs = 10_000;

/** The one user and the one room, where it is about one. */
function onlyOnes(on: ActedOn) {
  const users = new Set(
    [...itemsOf(on, 'user'), ...itemsOf(on, 'member')].map((item) => 'userId' in item && item.userId),
  );
  const [userId] = users.size === 1 ? users : [];
  const rooms = itemsOf(on, 'room');
  const roomId = rooms.length === 1 && rooms[0]?.kind === 'room' ? rooms[0].roomId : undefined;
  return { userId, roomId, onlyRoom: users.size === 0 && itemsOf(on, 'event').length === 0 };
}

/**
 * The choices, as far as it is known what this server offers and how things are. What only the menu shows is asked
 * for when it opens.
 *
 * @param isAsking whether a panel asks about one of them: what somebody else does meanwhile is to be seen in it
 */
export function useChoices(
  { on, isComing, only, known: given }: Pick<ActionBarProps, 'on' | 'isComing' | 'only' | 'known'>,
  menuOpened: boolean,
  isAsking: boolean,
) {
  const server = useServer();
  const isApp = useConsole().host.shell !== undefined;
  const offered = useQuery(offeredQuery(server));
  // Of what stands for something that is on its way, the server knows nothing.
  const { userId, roomId, onlyRoom } = useMemo(() => onlyOnes(isComing ? {} : on), [on, isComing]);

  const lookAgain = { refetchInterval: isAsking ? askingMs : untilAskedAgain };
  const isLookedAt = menuOpened || isAsking;

  const user = useQuery({
    ...userQuery(server, userId || ''),
    ...lookAgain,
    enabled: Boolean(userId) && isLocal(server, userId || ''),
  });
  const block = useQuery({
    ...roomBlockQuery(server, roomId ?? ''),
    ...lookAgain,
    enabled: roomId !== undefined && (isLookedAt || onlyRoom) && offered.data?.has('block') === true,
  });

  const members = useMemo(() => itemsOf(on, 'member'), [on]);
  const member = members.length === 1 && members[0]?.kind === 'member' ? members[0] : undefined;
  const membership = useQuery({
    ...membershipQuery(server, member ?? { roomId: '', userId: '' }),
    ...lookAgain,
    enabled: member !== undefined && member.roomId !== '' && offered.data?.has('unban') === true && !isComing,
  });
  const quarantined = useQuery({
    ...anyQuarantinedQuery(server, userId || ''),
    enabled:
      Boolean(userId) &&
      menuOpened &&
      isLocal(server, userId || '') &&
      offered.data?.has('userMedia') === true &&
      offered.data.has('unquarantine'),
  });

  const room = useQuery({ ...roomQuery(server, roomId ?? ''), enabled: roomId !== undefined && onlyRoom });

  const known = useMemo(
    () => ({
      user: userId ? user.data : undefined,
      room: room.data,
      blocked: block.data?.block,
      membership: membership.data ?? undefined,
      quarantined: quarantined.data,
      own: userId === server.connection.userId,
      ...given,
    }),
    [server, userId, user.data, room.data, block.data, membership.data, quarantined.data, given],
  );
  const { data, error } = offered;
  const [choices, unsure] = useMemo(() => {
    const among = (has: Pick<Offered, 'has'>) =>
      choicesOf(server, on, has, known).filter(
        (choice) => (!only || only.includes(choice.action.id)) && !(isApp && takesOver(server, choice)),
      );
    if (!data) return [among(everything), error ? among(everything) : []];
    const sure = among(data);
    if (data.unknown.size === 0) return [sure, []];
    const there = new Set(sure.map(({ action }) => action));
    const maybe = among({ has: (name) => data.has(name) || data.unknown.has(name) });
    return [sure, maybe.filter(({ action }) => !there.has(action))];
  }, [server, on, data, error, known, only, isApp]);
  return {
    choices,
    /** What may be among them, too: the server hasn't said yet whether it has what that needs. */
    unsure,
    /** While it isn't known what the server offers, the choices are those there would be if it offered everything. */
    isOffered: data !== undefined,
    error: data ? null : error,
    refetch: () => void offered.refetch(),
  };
}

const everything = { has: () => true };
