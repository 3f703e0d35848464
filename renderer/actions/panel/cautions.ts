/** Warnings to show before an action. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type ProtectedAccounts,
  type Protection,
  protectedIn,
  protectedKind,
  protectionOf,
} from '../../../shared/team/protected.ts';
import { type AccountTraits, accountTraitsQuery } from '../../api/account-traits.ts';
import { ownPermissionsQuery } from '../../api/memberships.ts';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { ownDeviceQuery } from '../../api/user.ts';
import { inSentence } from '../../components/text-hazards.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useTeamValue } from '../../team/use-team.ts';
import type { Action } from '../action.ts';
import type { Choice } from '../bar/choices.ts';
import { type Item, roomOf, userOf } from '../items.ts';

/** Power levels in more rooms aren't checked. */
const maxRooms = 20;

export type Cautions = {
  /** Whether everything has loaded. */
  isKnown: boolean;
  /** The items, without accounts that are left out; all of them if none is left. */
  items: readonly Item[];
  /** Everything was left out: the action is disabled. */
  isNothingLeft: boolean;
  /** The item is the own account. */
  own: boolean;
  /** The own account was left out. */
  ownLeftOut: boolean;
  /** Why the only account is protected; undefined if it isn't, and of the own one. */
  protection: Protection | undefined;
  /** The protected accounts that were left out. */
  protectedLeftOut: ReadonlyMap<string, Protection>;
  /** Couldn't be checked for some of several accounts. */
  unchecked: AccountTraits['unchecked'];
  administrators: readonly string[];
  power: Power | undefined;
};

export type Power = {
  /** Number of rooms where the admin lacks the power level; undefined for too many rooms. */
  lacking: number | undefined;
  rooms: number;
  /** Whether the server can grant it. */
  canTake: boolean;
};

export function useCautions({ action, items: all }: Choice): Cautions {
  const server = useServer();
  const { queryClient } = useConsole();
  const own = server.connection.userId;
  const ownDevice = useQuery({
    ...ownDeviceQuery(server),
    enabled: all.some((item) => item.kind === 'device' && item.userId === own),
  });
  const harms = action.harms === true;
  const people = useMemo(() => new Set(all.map(userOf)), [all]);
  const isBulk = people.size > 1;

  const traits = useQuery({ ...accountTraitsQuery(server, people), enabled: harms });
  const rule = protectedIn(useTeamValue((team) => team.documents(protectedKind)));
  const isRuleLoading = useTeamValue((team) => team.areMarksLoading);
  const protections = useMemo(
    () => (harms ? protectionsOf(people, own, traits.data ?? noTraits, rule, action) : noProtections),
    [harms, people, own, traits.data, rule, action],
  );
  // The same array until it changes: the panel looks for reports on these items.
  const { harmsOwn, ownLeftOut, others } = useMemo(() => {
    // For own sessions, only the console's own needs a warning.
    const isOwn = (item: Item) =>
      userOf(item) === own &&
      (item.kind !== 'device' || ownDevice.data === undefined || item.deviceId === ownDevice.data);
    const harmsOwn = harms && all.some(isOwn);
    // A user can sign out several own sessions together.
    const ownLeftOut = harmsOwn && (isBulk || all.some(({ kind }) => kind === 'device')) && all.length > 1;
    const isLeftOut = (item: Item) =>
      (ownLeftOut && isOwn(item)) || (isBulk && protections.has(userOf(item) ?? ''));
    return { harmsOwn, ownLeftOut, others: all.filter((item) => !isLeftOut(item)) };
  }, [harms, all, own, ownDevice.data, isBulk, protections]);
  const items = others.length === 0 || others.length === all.length ? all : others;

  const offered = useQuery(offeredQuery(server));
  const rooms = action.power ? [...new Set(items.map(roomOf).filter((room) => room !== undefined))] : [];
  const looks = rooms.length <= maxRooms;
  const powers = useQuery({
    queryKey: [server.id, 'own-powers', ...rooms],
    // If unknown, the action has to be tried.
    queryFn: () =>
      Promise.all(
        rooms.map((roomId) =>
          queryClient.fetchQuery(ownPermissionsQuery(server, roomId)).catch(() => undefined),
        ),
      ),
    enabled: looks && rooms.length > 0,
  });
  const { power } = action;
  const lacking = power && powers.data?.filter((own) => own?.[power] === false).length;

  return {
    isKnown:
      !ownDevice.isLoading &&
      !(harms && traits.isPending) &&
      // Patterns may be in the part of the team room that isn't read yet.
      !(harms && isBulk && isRuleLoading) &&
      !(power && offered.isPending) &&
      !powers.isLoading,
    items,
    isNothingLeft: others.length === 0,
    own: harmsOwn && !ownLeftOut,
    ownLeftOut,
    protection: isBulk ? undefined : [...protections.values()][0],
    protectedLeftOut: isBulk ? protections : noProtections,
    unchecked: harms && isBulk ? uncheckedBy(traits, rule) : undefined,
    administrators: administratorsIn(items, traits.data ?? noTraits),
    power:
      power && (!looks || (lacking ?? 0) > 0)
        ? {
            lacking: looks ? lacking : undefined,
            rooms: rooms.length,
            canTake: offered.data?.has('makeRoomAdmin') === true,
          }
        : undefined,
  };
}

type Traits = Omit<AccountTraits, 'unchecked'>;

const noTraits: Traits = { admins: new Set<string>(), services: new Set<string>(), bots: new Set<string>() };
const noProtections: ReadonlyMap<string, Protection> = new Map();

/** Returns the protected accounts other than the own one, which has its own rule. */
function protectionsOf(
  people: ReadonlySet<string | undefined>,
  own: string,
  traits: Traits,
  rule: ProtectedAccounts,
  { isForAdmins }: Pick<Action, 'isForAdmins'>,
): ReadonlyMap<string, Protection> {
  const found = new Map<string, Protection>();
  const applied = isForAdmins ? { ...rule, admins: false } : rule;
  for (const userId of people) {
    if (userId === undefined || userId === own) continue;
    const protection = protectionOf(userId, traits, applied);
    if (protection) found.set(userId, protection);
  }
  return found;
}

function uncheckedBy(
  { data, isError }: { data: AccountTraits | undefined; isError: boolean },
  rule: ProtectedAccounts,
): Cautions['unchecked'] {
  if (isError || data?.unchecked === 'all') return 'all';
  return rule.application_services ? data?.unchecked : undefined;
}

const administratorsIn = (items: readonly Item[], { admins }: Traits): string[] =>
  admins.size === 0
    ? []
    : [...new Set(items.map(userOf))].flatMap((userId) => (userId && admins.has(userId) ? userId : []));

/** Text to type before a dangerous action. `whole`: the ID that `text` is a part of; accepted instead. */
export type Confirmation = { text: string; is: 'own' | 'protected' | 'name' | 'beginning'; whole?: string };

/** For more items, their number has to be typed, even if the action can be undone. */
const maxWithoutTyping = 50;

/**
 * Returns the text to type, if any.
 *
 * @param chosen the chosen steps, or the action itself
 * @param isProduction whether the number has to be typed for any action that harms several
 */
export function typedFor(
  { action, known }: Choice,
  { items, own, protection }: Pick<Cautions, 'items' | 'own' | 'protection'>,
  chosen: readonly Pick<Action, 'typed'>[] = [action],
  isProduction = false,
): Confirmation | undefined {
  const [first] = items;
  if ((own || protection) && first && 'userId' in first)
    return { text: first.userId, is: own ? 'own' : 'protected' };
  const usualMost = action.typed === 'over 20' ? 20 : action.typed ? 1 : maxWithoutTyping;
  const most = isProduction && (action.destructive || action.harms) ? 1 : usualMost;
  if (items.length > most) return { text: String(items.length), is: 'name' };
  return first && chosen.some(({ typed }) => typed === true) ? identifying(first, known) : undefined;
}

function identifying(first: Item, known: Choice['known']): Confirmation | undefined {
  if (first.kind === 'user') {
    const [localpart = ''] = first.userId.slice(1).split(':');
    return isTypeable(localpart)
      ? { text: localpart, is: 'name', whole: first.userId }
      : { text: beginningOf(first.userId), is: 'beginning', whole: inSentence(first.userId) };
  }
  if (first.kind !== 'room') return undefined;
  const names = [first.name, known.room?.canonical_alias].filter((name) => name !== first.roomId);
  const name = names.find(isTypeable);
  if (name) return { text: name, is: 'name' };
  return { text: beginningOf(first.roomId), is: 'beginning', whole: inSentence(first.roomId) };
}

/** Whether the text matches. IDs are case-insensitive. */
export function isTyped(typed: string, { text, is, whole }: Confirmation): boolean {
  const given = typed.trim();
  if (is === 'beginning') return given.replace(/^[!@]/, '').toLowerCase() === text.toLowerCase();
  return given === text || given === whole;
}

/** Enough to be unique on a server. */
const shownLength = 6;

/** Returns the beginning of an ID, without its sigil. */
const beginningOf = (id: string) => id.slice(1, 1 + shownLength);

const maxTypedLength = 60;

/** Whether a name is short and ASCII. */
const isTypeable = (name: string | null | undefined): name is string =>
  !!name && name.length <= maxTypedLength && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name);
