import { asStoredEvent, columns, type StoredEvent } from '../../conversation/rooms/events/event-store.ts';
import type { Database } from '../../platform/database/schema.ts';

export type SenderRange = {
  roomId: string;
  sender: string;
  /** Only events before this stream position. */
  before: number;
  /** Only events sent in this period, both ends included, in milliseconds since the Unix epoch. */
  since?: number | undefined;
  until?: number | undefined;
  limit: number;
};

/** Returns the events of a user that can be redacted without changing how the room works, newest first. */
export async function listRedactableEvents(
  db: Database,
  { roomId, sender, before, since, until, limit }: SenderRange,
): Promise<StoredEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(columns)
    .where('sender', '=', sender)
    .where('room_id', '=', roomId)
    .where('stream_ordering', '<', before)
    .where('type', '!=', 'm.room.redaction')
    .$if(since !== undefined, (query) => query.where('origin_server_ts', '>=', since ?? 0))
    .$if(until !== undefined, (query) => query.where('origin_server_ts', '<=', until ?? 0))
    .where(({ eb, or }) => or([eb('state_key', 'is', null), eb('type', '=', 'm.room.member')]))
    .orderBy('stream_ordering', 'desc')
    .limit(limit)
    .execute();
  return rows.map(asStoredEvent);
}
