/** Which rooms a sync shows, as what, and from where to where. */
import type { Database } from '../../platform/database/schema.ts';
import { endOfStay } from '../rooms/membership/stay-store.ts';
import {
  type Change,
  listActiveRooms,
  listMemberships,
  listMembershipsIn,
  listOwnHistory,
  type OwnMembership,
} from './membership-changes-store.ts';
import type { RecentEvents } from './recent-events.ts';

export type RoomUpdate = {
  roomId: string;
  /** The part of the reply that it stands in. */
  section: 'join' | 'invite' | 'knock' | 'leave';
  /** The stretch of its history that may be shown. */
  after: number;
  upTo: number;
  /** The place of what became of the user later, which they are told besides: such as a ban after they had to leave. */
  afterwards?: number;
  /** Whether all of its state is shown, or only what changed. */
  full: boolean;
  /** Up to which place the client has been shown it in syncs before; undefined where it has not. */
  knownUpTo?: number | undefined;
  /** Whether the user came to it after the last sync, and may have to fetch what happened before. */
  isNew?: boolean;
  /** The place of the user's last member event, where it is known: from there on the user was there. */
  ownPlace: number;
};

/** By room, of those that the user has left: the last event that they may know of. */
export function lastKnownIn(updates: readonly RoomUpdate[]): (roomId: string) => number | undefined {
  const left = updates.filter(({ section }) => section === 'leave');
  const ends = new Map(left.map(({ roomId, upTo }) => [roomId, upTo]));
  return (roomId) => ends.get(roomId);
}

export type Span = {
  /** Where the last sync ended, in the order of events; undefined for the first one. */
  after: number | undefined;
  upTo: number;
};

export type Wanted = {
  /** Everything of all rooms that the user is in, whatever was shown before. */
  fullState: boolean;
  includeLeave: boolean;
  room: ((roomId: string) => boolean) | undefined;
};

/**
 * The rooms of which a user has to be shown something.
 *
 * @param recent what happened in the span, where that has been read
 */
export async function updatedRooms(
  db: Database,
  userId: string,
  { after, upTo }: Span,
  { fullState, includeLeave, room = () => true }: Wanted,
  recent?: RecentEvents,
): Promise<RoomUpdate[]> {
  const since = after ?? 0;
  const inRecent = recent ? await listMembershipsIn(db, userId, recent.byRoom.keys()) : [];
  // Where the user came or went after the span, what they were in it is looked up.
  const isSettled =
    recent !== undefined && !recent.movesMembers && inRecent.every(({ place }) => place <= upTo);
  const listed = isSettled ? [] : await listMemberships(db, userId, fullState ? 0 : since);
  const memberships = listed.filter(({ roomId }) => room(roomId));
  const changed = memberships.filter(({ place }) => place > since);
  const histories = await listOwnHistory(
    db,
    userId,
    changed.filter((own) => after !== undefined || mayHaveMore(own, upTo)).map(({ roomId }) => roomId),
    upTo,
  );
  const updates = changed.flatMap((own) => {
    const history = histories.get(own.roomId) ?? [
      { place: own.place, value: own.membership, sender: userId },
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
          .filter(({ membership, place }) => membership === 'join' && place <= upTo)
          .map(({ roomId }) => roomId)
      : await listActiveRooms(db, userId, { after, upTo });
  for (const roomId of active) {
    if (known.has(roomId) || !room(roomId)) continue;
    updates.push({
      ...{ roomId, section: 'join', after, upTo, full: fullState },
      ...{ knownUpTo: after, ownPlace: 0 },
    });
  }
  return fullState
    ? updates.map((each) => ({ ...each, full: each.full || each.section === 'join' }))
    : updates;
}

/** Whether the table says less than is needed: it knows the newest membership, not who made it and what was before. */
const mayHaveMore = ({ membership, place }: OwnMembership, upTo: number) =>
  place > upTo || membership === 'leave' || membership === 'ban';

function firstUpdate(
  { roomId, place, forgotten }: OwnMembership,
  history: readonly Change[],
  userId: string,
  { upTo, includeLeave }: { upTo: number; includeLeave: boolean },
): RoomUpdate | undefined {
  const latest = history.at(-1);
  if (!latest || latest.place > upTo) return undefined;
  const update = { roomId, after: 0, upTo, full: true, ownPlace: place };
  switch (latest.value) {
    case 'join':
    case 'invite':
    case 'knock':
      return { ...update, section: latest.value };
    default: {
      // Whoever was made to leave is told so, even by a first sync.
      const isOwnDoing = latest.value === 'leave' && latest.sender === userId;
      if (forgotten || (isOwnDoing && !includeLeave)) return undefined;
      const ended = endOfStay(history);
      return ended === undefined ? onlyTheEnd(update, latest) : untilTheEnd(update, ended, latest);
    }
  }
}

function nextUpdate(
  { roomId, place, forgotten }: OwnMembership,
  history: readonly Change[],
  { after, upTo }: { after: number; upTo: number },
): RoomUpdate | undefined {
  const latest = history.at(-1);
  if (!latest || latest.place > upTo) return undefined;
  const isBefore = (change: Change) => change.place <= after;
  const [earlier, within] = [history.filter(isBefore), history.filter((change) => !isBefore(change))];
  const before = earlier.at(-1)?.value;
  const knownUpTo = before === 'join' ? after : endOfStay(earlier);
  const update = { roomId, after, upTo, full: false, knownUpTo, ownPlace: place };
  if (latest.value === 'join') {
    const isNew = before !== 'join' || within.some(({ value }) => value !== 'join');
    return { ...update, section: 'join', full: isNew, isNew, after: isNew ? 0 : after };
  }
  if (within.length === 0) return undefined;
  if (latest.value === 'invite' || latest.value === 'knock') return { ...update, section: latest.value };
  // It may have been forgotten on another device: this one still shows it.
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
  return untilTheEnd(stay, left.place, latest);
}

/** Of a room that the user was in all until they left, and what they are in it now. */
const untilTheEnd = (update: Omit<RoomUpdate, 'section'>, ended: number, { place }: Change): RoomUpdate => ({
  ...update,
  section: 'leave',
  upTo: ended,
  ...(place > ended && { afterwards: place }),
});

/** Of a room that the user was never in, or wants to know nothing of any more, only that an invitation, or what they asked for, came to an end. */
const onlyTheEnd = (update: Omit<RoomUpdate, 'section'>, { place }: Change): RoomUpdate => ({
  ...update,
  section: 'leave',
  full: false,
  after: place - 1,
  upTo: place,
});
