/** What events change in the tables: collected while they are made, and written down in few statements. */

import type { MediaAddress } from '../../../identity/media/media-address.ts';
import { insertRoomMedia } from '../../../identity/media/room-media-store.ts';
import { chunks } from '../../../platform/concurrency/yield.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import { setMemberships } from '../membership/membership-store.ts';
import type { Relation } from '../relations/relation.ts';
import { deleteRelation, insertRelation } from '../relations/relation-store.ts';
import { type StateKey, setState } from '../state/room-state-store.ts';
import { insertEvents, markRedacted, type NewEvent } from './event-store.ts';

export type RoomWrites = {
  events: (NewEvent & { media: readonly MediaAddress[]; relation: Relation | undefined })[];
  /** By type and key: what the state will be, with the event that says so. */
  state: Map<string, { key: StateKey; eventId: string }>;
  /** By user, with the member event. */
  memberships: Map<string, { membership: string; eventId: string }>;
  redactions: { eventId: string; redactedBy: string }[];
};

export const noWrites = (): RoomWrites => ({
  events: [],
  state: new Map(),
  memberships: new Map(),
  redactions: [],
});

/** How many rows one statement writes: some milliseconds of work. */
const rowsAtOnce = 50;

/** Writes it all down, and gives the events' places; the room's own row is the caller's. */
export async function writeDown(tx: Tx, roomId: string, writes: RoomWrites): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  for (const chunk of chunks(writes.events, rowsAtOnce)) {
    for (const [eventId, place] of await insertEvents(tx, chunk)) places.set(eventId, place);
  }
  const placeOf = (eventId: string) => places.get(eventId) ?? 0;
  for (const { event, media, relation } of writes.events) {
    const { eventId, pdu } = event;
    const streamOrdering = placeOf(eventId);
    if (media.length > 0) await insertRoomMedia(tx, roomId, streamOrdering, media);
    if (relation) {
      const { sender, type } = pdu;
      await insertRelation(tx, { ...relation, eventId, roomId, sender, type, streamOrdering });
    }
  }
  for (const chunk of distinctPieces([...writes.state.values()], ({ key }) => key.join())) {
    await setState(tx, roomId, chunk);
  }
  for (const chunk of distinctPieces([...writes.memberships], ([userId]) => userId)) {
    const memberships = chunk.map(([userId, { membership, eventId }]) => ({
      userId,
      membership,
      streamOrdering: placeOf(eventId),
    }));
    await setMemberships(tx, roomId, memberships);
  }
  for (const { eventId, redactedBy } of writes.redactions) {
    await markRedacted(tx, eventId, redactedBy);
    await deleteRelation(tx, eventId);
  }
  return places;
}

/**
 * Pieces in which no two keys become the same. Not every engine keeps NUL as it is, and no statement may write
 * one row twice: what holds one stands alone.
 */
function* distinctPieces<Item>(items: readonly Item[], keyOf: (item: Item) => string): Generator<Item[]> {
  const holdsNul = (item: Item) => keyOf(item).includes('\0');
  yield* chunks(
    items.filter((item) => !holdsNul(item)),
    rowsAtOnce,
  );
  yield* chunks(items.filter(holdsNul), 1);
}
