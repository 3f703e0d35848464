/** Selects the rooms of a sync, with their section and the interval of their history. */
import type { Database } from '../../platform/database/schema.ts';
import { endOfStay } from '../rooms/membership/stay-store.ts';
import {
  type Change,
  listActiveRooms,
  listChangedMemberships,
  listMembershipsIn,
  listOwnHistory,
  type OwnMembership,
} from './membership-changes-store.ts';
import type { RecentEvents } from './recent-events.ts';

export type RoomUpdate = {
  roomId: string;
  /** Section of the response. */
  section: 'join' | 'invite' | 'knock' | 'leave';
  /** The interval of its history that may be returned. */
  after: number;
  upTo: number;
  /** Position of a later membership event that is returned as well, such as a ban after a kick. */
  afterwards?: number;
  /** Whether to return its full state instead of changes. */
  full: boolean;
  /** Position up to which earlier syncs returned it; undefined if none did. */
  knownUpTo?: number | undefined;
  /** Whether the user joined after the last sync, so that earlier events may be missing. */
  isNew?: boolean;
  /** Position of the user's last member event; 0 if unknown. */
  ownPosition: number;
};

/** Returns the last position that the user may read in a room, if the user has left it. */
export function lastKnownIn(updates: readonly RoomUpdate[]): (roomId: string) => number | undefined {
  const left = updates.filter(({ section }) => section === 'leave');
  const ends = new Map(left.map(({ roomId, upTo }) => [roomId, upTo]));
  return (roomId) => ends.get(roomId);
}

export type Span = {
  /** Stream position at which the last sync ended; undefined for an initial sync. */
  after: number | undefined;
  upTo: number;
};

type RoomSelection = {
  /** Whether to return all joined rooms in full. */
  fullState: boolean;
  includeLeave: boolean;
  room: ((roomId: string) => boolean) | undefined;
};

/** @param recent the events of the span, if already read */
export async function updatedRooms(
  db: Database,
  userId: string,
  { after, upTo }: Span,
  { fullState, includeLeave, room = () => true }: RoomSelection,
  recent?: RecentEvents,
): Promise<RoomUpdate[]> {
  const since = after ?? 0;
  const inRecent = recent ? await listMembershipsIn(db, userId, recent.byRoom.keys()) : [];
  // After a later membership change, the membership within the span has to be looked up.
  const isSettled =
    recent !== undefined && !recent.movesMembers && inRecent.every(({ position }) => position <= upTo);
  const listed = isSettled ? [] : await listChangedMemberships(db, userId, fullState ? 0 : since);
  const memberships = listed.filter(({ roomId }) => room(roomId));
  const changed = memberships.filter(({ position }) => position > since);
  const histories = await listOwnHistory(
    db,
    userId,
    changed.filter((own) => after !== undefined || mayHaveMore(own, upTo)).map(({ roomId }) => roomId),
    upTo,
  );
  const updates = changed.flatMap((own) => {
    const history = histories.get(own.roomId) ?? [
      { position: own.position, value: own.membership, sender: userId },
    ];
    const update =
      after === undefined
        ? firstUpdate(own, history, userId, { upTo, includeLeave })
        : nextUpdate(own, history, { after, upTo });
    return update ? [update] : [];
  });
  if (after === undefined) return updates;

  const known = new Set(changed.map(({ roomId }) => roomId));
  const active = fullState
    ? memberships.filter(({ membership }) => membership === 'join').map(({ roomId }) => roomId)
    : recent
      ? inRecent
          .filter(({ membership, position }) => membership === 'join' && position <= upTo)
          .map(({ roomId }) => roomId)
      : await listActiveRooms(db, userId, { after, upTo });
  for (const roomId of active) {
    if (known.has(roomId) || !room(roomId)) continue;
    updates.push({
      ...{ roomId, section: 'join', after, upTo, full: fullState },
      ...{ knownUpTo: after, ownPosition: 0 },
    });
  }
  return fullState
    ? updates.map((each) => ({ ...each, full: each.full || each.section === 'join' }))
    : updates;
}

/** Whether the history is needed: the table has only the newest membership, without its sender. */
const mayHaveMore = ({ membership, position }: OwnMembership, upTo: number) =>
  position > upTo || membership === 'leave' || membership === 'ban';

function firstUpdate(
  { roomId, position, forgotten }: OwnMembership,
  history: readonly Change[],
  userId: string,
  { upTo, includeLeave }: { upTo: number; includeLeave: boolean },
): RoomUpdate | undefined {
  const latest = history.at(-1);
  if (!latest || latest.position > upTo) return undefined;
  const update = { roomId, after: 0, upTo, full: true, ownPosition: position };
  switch (latest.value) {
    case 'join':
    case 'invite':
    case 'knock':
      return { ...update, section: latest.value };
    default: {
      // Kicks and bans are returned even by an initial sync.
      const isOwnLeave = latest.value === 'leave' && latest.sender === userId;
      if (forgotten || (isOwnLeave && !includeLeave)) return undefined;
      const ended = endOfStay(history);
      return ended === undefined ? onlyTheEnd(update, latest) : untilTheEnd(update, ended, latest);
    }
  }
}

function nextUpdate(
  { roomId, position, forgotten }: OwnMembership,
  history: readonly Change[],
  { after, upTo }: { after: number; upTo: number },
): RoomUpdate | undefined {
  const latest = history.at(-1);
  if (!latest || latest.position > upTo) return undefined;
  const isBefore = (change: Change) => change.position <= after;
  const [earlier, within] = [history.filter(isBefore), history.filter((change) => !isBefore(change))];
  const before = earlier.at(-1)?.value;
  const knownUpTo = before === 'join' ? after : endOfStay(earlier);
  const update = { roomId, after, upTo, full: false, knownUpTo, ownPosition: position };
  if (latest.value === 'join') {
    const isNew = before !== 'join' || within.some(({ value }) => value !== 'join');
    return { ...update, section: 'join', full: isNew, isNew, after: isNew ? 0 : after };
  }
  if (within.length === 0) return undefined;
  if (latest.value === 'invite' || latest.value === 'knock') return { ...update, section: latest.value };
  // Forgotten by another device; this one still shows it.
  if (forgotten) {
    return before === undefined || before === 'leave' || before === 'ban'
      ? undefined
      : onlyTheEnd(update, latest);
  }
  const lastJoin = within.findLastIndex(({ value }) => value === 'join');
  if (lastJoin === -1 && before !== 'join') {
    return onlyTheEnd(update, latest);
  }
  const left = within[lastJoin + 1] ?? latest;
  const isNew = before !== 'join';
  const stay = { ...update, full: isNew, isNew, after: isNew ? 0 : after };
  return untilTheEnd(stay, left.position, latest);
}

/** The history until the user left, and the current membership. */
const untilTheEnd = (
  update: Omit<RoomUpdate, 'section'>,
  ended: number,
  { position }: Change,
): RoomUpdate => ({
  ...update,
  section: 'leave',
  upTo: ended,
  ...(position > ended && { afterwards: position }),
});

/** Only the membership event that ended an invitation or a knock, or the stay in a forgotten room. */
const onlyTheEnd = (update: Omit<RoomUpdate, 'section'>, { position }: Change): RoomUpdate => ({
  ...update,
  section: 'leave',
  full: false,
  after: position - 1,
  upTo: position,
});
