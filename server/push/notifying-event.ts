import type { Database } from '../database/schema.ts';
import { findEvents, type StoredEvent } from '../rooms/event-store.ts';

/** The events at these places in the order of all events. */
export async function findEventsAt(db: Database, places: readonly number[]): Promise<StoredEvent[]> {
  if (places.length === 0) return [];
  const rows = await db
    .selectFrom('events')
    .select('event_id')
    .where('stream_ordering', 'in', places)
    .execute();
  return findEvents(
    db,
    rows.map((row) => row.event_id),
  );
}
