/** Chooses the actions that the server supports and that apply to the targets. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allows } from '../../../shared/team/roles.ts';
import { membershipQuery } from '../../api/memberships.ts';
import { mutedQuery } from '../../api/power-levels.ts';
import { roomBlockQuery, roomQuery } from '../../api/room.ts';
import { type Offered, offeredQuery } from '../../api/supported-endpoints.ts';
import { anyQuarantinedQuery, userQuery } from '../../api/user.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { untilRefetch } from '../../query-client.ts';
import { useRole } from '../../team/use-role.ts';
import type { Server } from '../../transport/server.ts';
import type { Action, ItemState } from '../action.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import {
  type ActionTargets,
  type Item,
  isLocal,
  itemsOf,
  type Kind,
  keyOf,
  serverPart,
  userOf,
} from '../items.ts';
import { targetsOf } from '../steps.ts';

export type ActionBarProps = {
  on: ActionTargets;
  /** The targets are placeholders; shortcuts are deferred until they've loaded. */
  isLoading?: boolean;
  /** Called when the panel closes after an action; `reviewed`: it resolves the reports. */
  onActed?: (how: { reviewed: boolean }) => void;
  /** Actions that get a button, by preference, in place of those that usually do. */
  buttons?: readonly Action['id'][];
  /** Limits the bar to these actions. */
  only?: readonly Action['id'][];
  /** State of a single item that the screen has loaded. */
  known?: Pick<ItemState, 'media' | 'redacted' | 'rule' | 'deviceName'>;
  /** Without shortcuts and palette commands, which belong to another bar. */
  quiet?: boolean;
};

export type Choice = {
  action: Action;
  items: readonly Item[];
  /** Number of remote items, which are left out. */
  remote: number;
  known: ItemState;
};

/** Only on user and room pages, not for reports. */
const hiddenInTriage = new Set([
  'make-administrator',
  'revoke-administrator',
  'reset-password',
  'allow-cross-signing-reset',
  'log-in-as',
  'change-user-type',
  'add-threepid',
  'add-external-id',
  'delete-user-media',
  'purge-room',
  'join-room-oneself',
  'purge-history',
  'delete-extremities',
]);

const isFromReport = ({ reports = [] }: Item) => reports.length > 0;

function choicesOf(
  server: Server,
  on: ActionTargets,
  offered: Pick<Offered, 'has'>,
  known: ItemState,
): Choice[] {
  // Cached, as there can be as many items as users on the server.
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
      (item) =>
        action.accepts?.(item) !== false && (!action.appliesTo || isUseful(action, item, those, known)),
    );
    const isOffered =
      action.needs.every((endpoint) => offered.has(endpoint)) &&
      (action.steps?.some((step) => targetsOf(step, { server, offered, items }).length > 0) ?? true);
    if (items.length === 0 || !isOffered) return [];
    if (hiddenInTriage.has(action.id) && items.some(isFromReport)) return [];
    if (items.length > 1 && (action.shownOnce || action.oneOnly)) return [];
    if (items.length === 1 && action.applies && !action.applies(known)) return [];
    return [{ action, items, remote: all.length - those.length, known }];
  });
}

/** Whether an action applies to a file; true for several files whose state isn't loaded. */
function isUseful(
  { appliesTo }: Action,
  item: Item,
  { length }: readonly Item[],
  { media }: ItemState,
): boolean {
  const medium = item.kind === 'media' ? media?.get(item.uri) : undefined;
  return (medium === undefined && length > 1) || appliesTo?.(medium) !== false;
}

/** Whether a chosen action no longer applies. */
export function isObsolete(
  { action, items: [item, ...others] }: Choice,
  on: ActionTargets,
  now: readonly Choice[],
) {
  if (!(action.applies || action.appliesTo) || !item || others.length > 0) return false;
  const isStillThere = itemsOf(on, action.kind).some((each) => keyOf(each) === keyOf(item));
  return isStillThere && !now.some((choice) => choice.action === action);
}

/** Returns the actions shown as buttons, most of which have a shortcut. */
export function buttonsOf(choices: readonly Choice[]): Choice[] {
  const byKey = new Map<string, Choice>();
  for (const choice of choices) {
    const { id, usual, key = usual && id } = choice.action;
    if (key !== undefined && !byKey.has(key)) byKey.set(key, choice);
  }
  const [usual, others] = [true, undefined].map((is) =>
    [...byKey.values()].filter(({ action }) => action.usual === is),
  );
  return [...(usual ?? []), ...(others ?? [])]
    .slice(0, maxButtons)
    .toSorted((one, other) => positionOf(one) - positionOf(other));
}

/** Order of the buttons, harmless ones first, independent of the state. */
const buttonKeys = ['s', 'b', 'q', 'p', 'l', 'o', 'r', 'd'];

/** Actions without such a key are before the last ones, destructive ones at the end. */
function positionOf({ action: { key = '', destructive } }: Choice): number {
  const place = buttonKeys.indexOf(key);
  return place === -1 ? (destructive ? buttonKeys.length : buttonKeys.length - 2.5) : place;
}

const maxPreferred = 2;

/** Returns the preferred actions that are available, as many as get a button. */
export const preferred = (choices: readonly Choice[], ids: readonly Action['id'][]): Choice[] =>
  ids.flatMap((id) => choices.find(({ action }) => action.id === id) ?? []).slice(0, maxPreferred);

export const harmlessFirst = (choices: readonly Choice[]): Choice[] =>
  choices.toSorted(
    (one, other) => Number(one.action.destructive ?? false) - Number(other.action.destructive ?? false),
  );

export const maxButtons = 3;

/** Whether the desktop app refuses it: it changes the own account's credentials. */
const takesOver = ({ connection }: Server, { action, items }: Choice) =>
  action.takesOver === true && items.some((item) => userOf(item) === connection.userId);

const isOfServer = (server: Server, item: Item) =>
  item.kind === 'media'
    ? item.uri.startsWith(`mxc://${serverPart(server.connection.userId)}/`)
    : isLocal(server, userOf(item) ?? '');

const panelRefetchMs = 10_000;

/** Returns the user and the room, if there is only one. */
function singleTargets(on: ActionTargets) {
  const users = new Set(
    [...itemsOf(on, 'user'), ...itemsOf(on, 'member')].map((item) => 'userId' in item && item.userId),
  );
  const [userId] = users.size === 1 ? users : [];
  const rooms = itemsOf(on, 'room');
  const roomId = rooms.length === 1 && rooms[0]?.kind === 'room' ? rooms[0].roomId : undefined;
  return { userId, roomId, onlyRoom: users.size === 0 && itemsOf(on, 'event').length === 0 };
}

/**
 * Returns the available actions. State that only the menu shows is loaded when it opens.
 *
 * @param isPanelOpen refetches, to notice other admins' changes
 */
export function useChoices(
  { on, isLoading, only, known: given }: Pick<ActionBarProps, 'on' | 'isLoading' | 'only' | 'known'>,
  menuOpened: boolean,
  isPanelOpen: boolean,
) {
  const server = useServer();
  const isApp = useConsole().host.shell !== undefined;
  const queryClient = useQueryClient();
  const role = useRole();
  const offered = useQuery(offeredQuery(server));
  // Placeholders don't exist on the server.
  const { userId, roomId, onlyRoom } = useMemo(() => singleTargets(isLoading ? {} : on), [on, isLoading]);

  const refetching = { refetchInterval: isPanelOpen ? panelRefetchMs : untilRefetch };
  const isVisible = menuOpened || isPanelOpen;

  const user = useQuery({
    ...userQuery(server, userId || ''),
    ...refetching,
    enabled: Boolean(userId) && isLocal(server, userId || ''),
  });
  const block = useQuery({
    ...roomBlockQuery(server, roomId ?? ''),
    ...refetching,
    enabled: roomId !== undefined && (isVisible || onlyRoom) && offered.data?.has('block') === true,
  });

  const members = useMemo(() => itemsOf(on, 'member'), [on]);
  const member = members.length === 1 && members[0]?.kind === 'member' ? members[0] : undefined;
  const membership = useQuery({
    ...membershipQuery(server, member ?? { roomId: '', userId: '' }),
    ...refetching,
    enabled:
      member !== undefined && member.roomId !== '' && offered.data?.has('unban') === true && !isLoading,
  });
  const muted = useQuery({
    ...mutedQuery(server, member ?? { roomId: '', userId: '' }),
    ...refetching,
    enabled: member !== undefined && member.roomId !== '' && isVisible && !isLoading,
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
      muted: muted.data,
      quarantined: quarantined.data,
      own: userId === server.connection.userId,
      ...given,
    }),
    [server, userId, user.data, room.data, block.data, membership.data, muted.data, quarantined.data, given],
  );
  const { data, error } = offered;
  const [choices, unsure] = useMemo(() => {
    const choicesWith = (has: Pick<Offered, 'has'>) =>
      choicesOf(server, on, has, known).filter(
        (choice) =>
          allows(role, choice.action.role) &&
          (!only || only.includes(choice.action.id)) &&
          !(isApp && takesOver(server, choice)),
      );
    if (!data) return [choicesWith(everything), error ? choicesWith(everything) : []];
    const sure = choicesWith(data);
    if (data.unknown.size === 0) return [sure, []];
    const there = new Set(sure.map(({ action }) => action));
    const maybe = choicesWith({ has: (name) => data.has(name) || data.unknown.has(name) });
    return [sure, maybe.filter(({ action }) => !there.has(action))];
  }, [server, on, data, error, known, only, isApp, role]);
  return {
    choices,
    /** Actions whose endpoints couldn't be probed. */
    unsure,
    /** While false, `choices` assumes that the server supports everything. */
    isOffered: data !== undefined,
    error: data ? null : error,
    /** Doesn't wait for a request that the server leaves unanswered. */
    async refetch() {
      await queryClient.cancelQueries({ queryKey: offeredQuery(server).queryKey });
      await offered.refetch();
    },
  };
}

const everything = { has: () => true };
