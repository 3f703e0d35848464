/** What has to be known before something is done to these. */
import { useQuery } from '@tanstack/react-query';
import { administratorsQuery } from '../api/administrators.ts';
import { ownPowerQuery } from '../api/memberships.ts';
import { offeredQuery } from '../api/offered.ts';
import { ownDeviceQuery } from '../api/whois.ts';
import { useConsole, useServer } from '../console-context.ts';
import type { Choice } from './choices.ts';
import { type Item, roomOf, userOf } from './subject.ts';

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
        rooms.map((roomId) => queryClient.fetchQuery(ownPowerQuery(server, roomId)).catch(() => undefined)),
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
