/** Access of users to a room's events. Client-server API, "Room History Visibility". */
import type { JsonObject } from '../../../shared/api/common.ts';
import { redactEvent } from '../../../shared/redaction.ts';
import { ignoredUsers } from '../../identity/account-data/account-data.ts';
import { findErased } from '../../identity/accounts/user-store.ts';
import { forbidden } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { findEvent, type StoredEvent } from './events/event-store.ts';
import { findMembership } from './membership/membership-store.ts';
import { findEndOfStay } from './membership/stay-store.ts';
import { findRoom } from './room-store.ts';
import { listStateChanges } from './state/room-state-store.ts';

export type RoomAccess = {
  /** Stream position of the last readable event, for a user who left; undefined without such a limit. */
  upTo: number | undefined;
  /** Whether the user isn't a member and reads because the room is world-readable. */
  peeking: boolean;
};

/**
 * Returns the part of a room that a user may read; undefined for nothing or an unknown room. A user who left may read
 * the history until then, but only after having joined: an invitation or a knock isn't enough.
 */
export async function roomAccess(
  db: Database,
  roomId: string,
  userId: string,
): Promise<RoomAccess | undefined> {
  const own = await findMembership(db, roomId, userId);
  if (own?.membership === 'join') return { upTo: undefined, peeking: false };
  if (own?.membership === 'leave' && !own.forgotten) {
    const upTo = await findEndOfStay(db, roomId, userId);
    if (upTo !== undefined) return { upTo, peeking: false };
  }
  const room = await findRoom(db, roomId);
  return room?.historyVisibility === 'world_readable' ? { upTo: undefined, peeking: true } : undefined;
}

/** Like `roomAccess`. @throws MatrixError 403 if the user can't read the room */
export async function requireReadable(db: Database, roomId: string, userId: string): Promise<RoomAccess> {
  const access = await roomAccess(db, roomId, userId);
  if (!access) throw notReadable(roomId, userId);
  return access;
}

/** Requires access to the room's current state, which users who left don't have. @throws MatrixError 403 */
export async function requireReadableNow(db: Database, roomId: string, userId: string): Promise<void> {
  const own = await findMembership(db, roomId, userId);
  if (own?.membership === 'join') return;
  const room = await findRoom(db, roomId);
  if (room?.historyVisibility !== 'world_readable') throw notReadable(roomId, userId);
}

const notReadable = (roomId: string, userId: string) =>
  forbidden(`User ${userId} not in room ${roomId}, and room previews are disabled`);

/** An event as a user may see it. */
export type VisibleEvent = {
  event: StoredEvent;
  /** The user's membership at the event. */
  membership: string;
  /** Whether its sender was erased, and the event is shown as if redacted. */
  erased?: true;
};

/**
 * Returns those of a room's events that a user may see, in the same order: by the history visibility and the user's
 * membership at each event. Events that are `shared` among members are hidden from users who are `peeking`.
 */
export async function visibleEvents(
  db: Database,
  roomId: string,
  userId: string,
  events: StoredEvent[],
  { peeking }: Pick<RoomAccess, 'peeking'>,
): Promise<VisibleEvent[]> {
  if (events.length === 0) return [];
  const positions = events.map((event) => event.streamOrdering);
  const [from, upTo] = [Math.min(...positions), Math.max(...positions)];
  const memberships = await listStateChanges(db, roomId, ['m.room.member', userId], from, upTo);
  const [only, ...others] = memberships;
  const wasThere = only && only.streamOrdering < from && others.length === 0 && membershipOf(only) === 'join';
  if (wasThere) return events.map((event) => ({ event, membership: 'join' }));
  const visibilities = await listStateChanges(db, roomId, ['m.room.history_visibility', ''], from, upTo);

  const visible = events.flatMap((event) => {
    const position = event.streamOrdering;
    const visibilitiesAround = around(visibilities, position, visibilityOf, 'shared');
    const membershipsAround = around(memberships, position, membershipOf, 'leave');
    const isAllowed = visibilitiesAround.some((visibility) =>
      membershipsAround.some((membership) => isVisible(visibility, membership, peeking)),
    );
    return isAllowed ? [{ event, membership: membershipsAround.at(-1) ?? 'leave' }] : [];
  });
  return hideErased(db, visible);
}

/** Redacts events of erased users for a reader who wasn't in the room when they were sent. */
export async function hideErased(db: Database, visible: VisibleEvent[]): Promise<VisibleEvent[]> {
  const outside = visible.filter(({ membership }) => membership !== 'join');
  const erased = await findErased(db, [...new Set(outside.map(({ event }) => event.pdu.sender))]);
  return visible.map((each) => {
    const { pdu } = each.event;
    if (each.membership === 'join' || !erased.has(pdu.sender)) return each;
    const { content } = redactEvent(pdu, each.event.roomVersion) as { content: JsonObject };
    return { ...each, event: { ...each.event, pdu: { ...pdu, content } }, erased: true };
  });
}

/** Omits messages of users whom the reader ignores; state is shown regardless of its sender. */
export async function withoutIgnored(
  db: Database,
  userId: string,
  visible: VisibleEvent[],
): Promise<VisibleEvent[]> {
  const isOthers = ({ event: { pdu } }: VisibleEvent) => pdu.sender !== userId && pdu.state_key === undefined;
  if (!visible.some(isOthers)) return visible;
  const ignored = await ignoredUsers(db, userId);
  if (ignored.size === 0) return visible;
  return visible.filter((each) => !isOthers(each) || !ignored.has(each.event.pdu.sender));
}

/** Returns an event if the user may see it; undefined otherwise, or if it is purged or in another room. */
export async function findVisibleEvent(
  db: Database,
  roomId: string,
  userId: string,
  eventId: string,
): Promise<VisibleEvent | undefined> {
  const event = await findEvent(db, eventId);
  if (event?.pdu.room_id !== roomId || event.purged) return undefined;
  const own = await findMembership(db, roomId, userId);
  const peeking = own?.membership !== 'join';
  // Saves reading the history visibility.
  if (own && !peeking && own.streamOrdering < event.streamOrdering) return { event, membership: 'join' };
  const [visible] = await visibleEvents(db, roomId, userId, [event], { peeking });
  return visible;
}

/** Whether a user with this membership at an event sees it, under this history visibility. */
export function isVisible(visibility: string, membership: string, peeking: boolean): boolean {
  if (visibility === 'world_readable' || membership === 'join') return true;
  if (visibility === 'invited') return membership === 'invite';
  return visibility === 'shared' && !peeking;
}

/** Returns the value of a state entry at an event, and also the value before if the event itself changed it. */
function around(
  changes: StoredEvent[],
  position: number,
  read: (event: StoredEvent) => string,
  unset: string,
): string[] {
  const index = changes.findLastIndex((change) => change.streamOrdering <= position);
  const at = changes[index];
  if (!at) return [unset];
  if (at.streamOrdering < position) return [read(at)];
  const before = changes[index - 1];
  return [before ? read(before) : unset, read(at)];
}

const visibilities = new Set(['world_readable', 'shared', 'invited', 'joined']);

const visibilityOf = ({ pdu }: StoredEvent) => knownVisibility(pdu.content.history_visibility);

/** Unknown history visibilities count as `shared`. */
export const knownVisibility = (visibility: unknown): string =>
  typeof visibility === 'string' && visibilities.has(visibility) ? visibility : 'shared';

const membershipOf = ({ pdu }: StoredEvent) => String(pdu.content.membership);
