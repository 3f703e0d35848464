/** What has to be known before something is done to these. */
import { useQuery } from '@tanstack/react-query';
import { ownPermissionsQuery } from '../../api/memberships.ts';
import { offeredQuery } from '../../api/offered.ts';
import { ownDeviceQuery } from '../../api/user.ts';
import { administratorsQuery } from '../../api/user-list.ts';
import { useConsole, useServer } from '../../console-context.ts';
import type { Action } from '../action.ts';
import type { Choice } from '../bar/choices.ts';
import { type Item, inSentence, roomOf, userOf } from '../items.ts';

/** To look into more rooms beforehand would take longer than to try. */
const mostRooms = 20;

export type Cautions = {
  /** Whether all of this has been asked for and answered. */
  isKnown: boolean;
  /** What it is done to; one's own account only where it is the only one. */
  items: readonly Item[];
  /** It is one's own account. */
  own: boolean;
  /** One's own account is among many, and left out. */
  ownLeftOut: boolean;
  administrators: readonly string[];
  power: Power | undefined;
};

export type Power = {
  /** In how many rooms one lacks the power for it; undefined where they are too many to look. */
  lacking: number | undefined;
  rooms: number;
  /** Whether the server can give it. */
  canTake: boolean;
};

export function useCautions({ action, items: all }: Choice): Cautions {
  const server = useServer();
  const { queryClient } = useConsole();
  const isOwnUser = (item: Item) => userOf(item) === server.connection.userId;
  const ownDevice = useQuery({
    ...ownDeviceQuery(server),
    enabled: all.some((item) => item.kind === 'device' && isOwnUser(item)),
  });
  // Of one's own sessions, the console's is the one that one would miss.
  const isOwn = (item: Item) =>
    isOwnUser(item) &&
    (item.kind !== 'device' || ownDevice.data === undefined || item.deviceId === ownDevice.data);
  const harmsOwn = action.harms === true && all.some(isOwn);
  const items = harmsOwn && all.length > 1 ? all.filter((item) => !isOwn(item)) : all;

  const offered = useQuery(offeredQuery(server));
  const people = new Set(items.map(userOf));
  const administrators = useQuery({
    ...administratorsQuery(server, people),
    enabled: action.harms === true,
  });
  const rooms = action.power ? [...new Set(items.map(roomOf).filter((room) => room !== undefined))] : [];
  const looks = rooms.length <= mostRooms;
  const powers = useQuery({
    queryKey: [server.id, 'own-powers', ...rooms],
    // Where one can't be read, one has to try.
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
      !(action.harms && administrators.isPending) &&
      !(power && offered.isPending) &&
      !powers.isLoading,
    items,
    own: harmsOwn && all.length === 1,
    ownLeftOut: harmsOwn && all.length > 1,
    administrators: administrators.data?.filter((userId) => people.has(userId)) ?? [],
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

// What has to be typed before something dangerous is done, so that it is not done to another one by mistake.

/** `whole`: the identifier that `text` is a part of; it may be typed instead. */
export type Wanted = { text: string; is: 'own' | 'name' | 'beginning'; whole?: string };

/** More than that by mistake is an outage, even where it can be undone: their number has to be typed. */
const mostWithOneKey = 50;

/**
 * Returns what has to be typed, if anything.
 *
 * @param chosen the steps that are ticked, or the action itself
 */
export function typedFor(
  { action, known }: Choice,
  { items, own }: Pick<Cautions, 'items' | 'own'>,
  chosen: readonly Pick<Action, 'typed'>[] = [action],
): Wanted | undefined {
  const [first] = items;
  if (own && first && 'userId' in first) return { text: first.userId, is: 'own' };
  const most = action.typed === 'over 20' ? 20 : action.typed ? 1 : mostWithOneKey;
  if (items.length > most) return { text: String(items.length), is: 'name' };
  return first && chosen.some(({ typed }) => typed === true) ? identifying(first, known) : undefined;
}

function identifying(first: Item, known: Choice['known']): Wanted | undefined {
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

/** Whether what was typed is what was wanted. Of an identifier nobody has to tell capitals from small letters. */
export function isTyped(typed: string, { text, is, whole }: Wanted): boolean {
  const given = typed.trim();
  if (is === 'beginning') return given.replace(/^[!@]/, '').toLowerCase() === text.toLowerCase();
  return given === text || given === whole;
}

/** Of so many letters and digits no server has two rooms that begin with the same, and a glance holds them. */
const enough = 6;

/** The beginning of an identifier, without its sigil. */
const beginningOf = (id: string) => id.slice(1, 1 + enough);

/** More than that nobody types, in characters. */
const longest = 60;

/** A name that a keyboard has the letters for, and few of them. */
const isTypeable = (name: string | null | undefined): name is string =>
  !!name && name.length <= longest && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name);
