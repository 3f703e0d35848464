/** What there is to choose from, of what can be done to these. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { membershipQuery } from '../api/memberships.ts';
import { type Offered, offeredQuery } from '../api/offered.ts';
import { roomBlockQuery, roomQuery } from '../api/room.ts';
import { anyQuarantinedQuery, userQuery } from '../api/user.ts';
import { useConsole, useServer } from '../console-context.ts';
import { untilAskedAgain } from '../query-client.ts';
import type { ActionBarProps } from './action-bar-props.ts';
import { choicesOf, takesOver } from './choices.ts';
import { isLocal } from './local-users.ts';
import { type ActedOn, itemsOf } from './subject.ts';

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
