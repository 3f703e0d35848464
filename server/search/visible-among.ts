/** What a user may see of what was found in their rooms. */
import type { Database } from '../database/schema.ts';
import { visibleEvents } from '../rooms/access.ts';
import type { ServedEvent } from '../rooms/client-event.ts';
import type { StoredEvent } from '../rooms/event-store.ts';

/** Those that the user may see of events in rooms that they are in, each since the place of an event. */
export async function visibleAmong(
  db: Database,
  userId: string,
  events: readonly StoredEvent[],
  rooms: ReadonlyMap<string, number>,
): Promise<ServedEvent[]> {
  const byRoom = Map.groupBy(events, ({ pdu }) => pdu.room_id);
  const visible: ServedEvent[] = [];
  for (const [roomId, inRoom] of byRoom) {
    const since = rooms.get(roomId) ?? Number.MAX_SAFE_INTEGER;
    // Who was in the room at all of them sees them all, whatever the room shows to others.
    if (inRoom.every(({ streamOrdering }) => streamOrdering > since)) {
      visible.push(...inRoom.map((event) => ({ event, membership: 'join' })));
    } else {
      visible.push(...(await visibleEvents(db, roomId, userId, inRoom, { peeking: false })));
    }
  }
  return visible;
}
