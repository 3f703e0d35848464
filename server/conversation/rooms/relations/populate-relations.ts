/** The background update that keeps what older events are about. */
import type { BackgroundUpdate } from '../../../platform/tasks/background-updates.ts';
import { listAllEvents } from '../events/event-order-store.ts';
import { relationIn } from './relation.ts';
import { insertRelation } from './relation-store.ts';

const eventsAtOnce = 200;

export const populateRelations: BackgroundUpdate = async (tx, { after }) => {
  const position = typeof after === 'number' ? after : 0;
  const { events } = await listAllEvents(tx, {
    after: position,
    upTo: Number.MAX_SAFE_INTEGER,
    limit: eventsAtOnce,
  });
  for (const { eventId, streamOrdering, redactedBy, pdu } of events) {
    if (redactedBy !== null || pdu.state_key !== undefined) continue;
    const relation = relationIn(pdu.content);
    if (!relation) continue;
    const { room_id: roomId, sender, type } = pdu;
    await insertRelation(tx, { ...relation, eventId, roomId, sender, type, streamOrdering });
  }
  const last = events.at(-1)?.streamOrdering;
  return { items: events.length, ...(last !== undefined && { progress: { after: last } }) };
};
