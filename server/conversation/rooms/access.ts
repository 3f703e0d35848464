/**
 * What of a room a user may read. Matrix specification, client-server API, "Room history visibility".
 */
import type { JsonObject } from '../../../shared/api/common.ts';
import { redactEvent } from '../../../shared/redaction.ts';
import { findErased } from '../../identity/accounts/user-store.ts';
import { forbidden } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { findEvent, type StoredEvent } from './events/event-store.ts';
import { findMembership } from './membership/membership-store.ts';
import { findEndOfStay } from './membership/stay-store.ts';
import { findRoom } from './room-store.ts';
import { listStateChanges } from './state/room-state-store.ts';

export type RoomAccess = {
  /** The last event that the user may know of, for one who left; undefined for one who sees the present. */
  upTo: number | undefined;
  /** Whether the user looks at a room that they never were in, because everyone may. */
  peeking: boolean;
};

/**
 * What a user may read of a room now; undefined for nothing, also where there is no such room. Who left reads what there
 * was until then, if they were in the room at all: to be invited or to have knocked, and to leave, is no stay.
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

/** The same, for who can't do without. @throws MatrixError 403 */
export async function requireReadable(db: Database, roomId: string, userId: string): Promise<RoomAccess> {
  const access = await roomAccess(db, roomId, userId);
  if (!access) throw notReadable(roomId, userId);
  return access;
}

/** For what a room is now, which is no business of who has left. @throws MatrixError 403 */
export async function requireReadableNow(db: Database, roomId: string, userId: string): Promise<void> {
  const own = await findMembership(db, roomId, userId);
  if (own?.membership === 'join') return;
  const room = await findRoom(db, roomId);
  if (room?.historyVisibility !== 'world_readable') throw notReadable(roomId, userId);
}

const notReadable = (roomId: string, userId: string) =>
  forbidden(`User ${userId} not in room ${roomId}, and room previews are disabled`);

/** An event as a user may see it, with what the user was in the room at it. */
export type VisibleEvent = {
  event: StoredEvent;
  membership: string;
  /** Whether its sender was erased, and the user sees no more of it than of what was redacted. */
  erased?: true;
};

/**
 * Those of a room's events that a user may see, in the order in which they came. What counts is the
 * room's history visibility and the user's membership at each event; who is not in the room (`peeking`)
 * does not share in what its members share.
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
  // Then they see all of it, whatever the room shows to others.
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

/** Who was not in the room when an erased user sent something sees no more of it than of what was redacted. */
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

/** One event of a room as a user may see it: undefined for a purged one and for one of another room. */
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
  // Who is in the room since before the event sees it, whatever the room shows to others.
  if (own && !peeking && own.streamOrdering < event.streamOrdering) return { event, membership: 'join' };
  const [visible] = await visibleEvents(db, roomId, userId, [event], { peeking });
  return visible;
}

/** Whether who was this in the room at an event sees it, under this history visibility. */
export function isVisible(visibility: string, membership: string, peeking: boolean): boolean {
  if (visibility === 'world_readable' || membership === 'join') return true;
  if (visibility === 'invited') return membership === 'invite';
  return visibility === 'shared' && !peeking;
}

/** What a piece of state was at an event; for an event that changed it also what it was before. */
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

/** A history visibility; what is none counts as `shared`. */
export const knownVisibility = (visibility: unknown): string =>
  typeof visibility === 'string' && visibilities.has(visibility) ? visibility : 'shared';

const membershipOf = ({ pdu }: StoredEvent) => String(pdu.content.membership);
