/** Pending writes of an append: collected per event, written in few statements. */
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
  /** By type and state key. */
  state: Map<string, { key: StateKey; eventId: string }>;
  /** By user ID. */
  memberships: Map<string, { membership: string; eventId: string }>;
  redactions: { eventId: string; redactedBy: string }[];
};

export const emptyWrites = (): RoomWrites => ({
  events: [],
  state: new Map(),
  memberships: new Map(),
  redactions: [],
});

/** Rows per statement: a few milliseconds of work. */
const rowsAtOnce = 50;

/** Writes everything except the room's own row; returns the events' stream positions by event ID. */
export async function persist(tx: Tx, roomId: string, writes: RoomWrites): Promise<Map<string, number>> {
  const positions = new Map<string, number>();
  for (const chunk of chunks(writes.events, rowsAtOnce)) {
    for (const [eventId, position] of await insertEvents(tx, chunk)) positions.set(eventId, position);
  }
  const positionOf = (eventId: string) => positions.get(eventId) ?? 0;
  for (const { event, media, relation } of writes.events) {
    const { eventId, pdu } = event;
    const streamOrdering = positionOf(eventId);
    if (media.length > 0) await insertRoomMedia(tx, roomId, streamOrdering, media);
    if (relation) {
      const { sender, type } = pdu;
      await insertRelation(tx, { ...relation, eventId, roomId, sender, type, streamOrdering });
    }
  }
  for (const chunk of distinctChunks([...writes.state.values()], ({ key }) => key.join())) {
    await setState(tx, roomId, chunk);
  }
  for (const chunk of distinctChunks([...writes.memberships], ([userId]) => userId)) {
    const memberships = chunk.map(([userId, { membership, eventId }]) => ({
      userId,
      membership,
      streamOrdering: positionOf(eventId),
    }));
    await setMemberships(tx, roomId, memberships);
  }
  for (const { eventId, redactedBy } of writes.redactions) {
    await markRedacted(tx, eventId, redactedBy);
    await deleteRelation(tx, eventId);
  }
  return positions;
}

/**
 * Splits rows so that no statement writes one row twice: PostgreSQL drops NUL from texts, so two keys that contain it may
 * become one. Those get a statement each.
 */
function* distinctChunks<Item>(items: readonly Item[], keyOf: (item: Item) => string): Generator<Item[]> {
  const hasNul = (item: Item) => keyOf(item).includes('\0');
  yield* chunks(
    items.filter((item) => !hasNul(item)),
    rowsAtOnce,
  );
  yield* chunks(items.filter(hasNul), 1);
}
