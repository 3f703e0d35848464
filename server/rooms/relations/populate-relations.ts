/** The background update that keeps what older events are about. */
import type { BackgroundUpdate } from '../../tasks/background-updates.ts';
import { asStoredEvent, columns } from '../event-store.ts';
import { relationIn } from './relation.ts';
import { insertRelation } from './relation-store.ts';

const eventsAtOnce = 200;

export const populateRelations: BackgroundUpdate = async (tx, { after }) => {
  const rows = await tx
    .selectFrom('events')
    .select(columns)
    .where('stream_ordering', '>', typeof after === 'number' ? after : 0)
    .orderBy('stream_ordering')
    .limit(eventsAtOnce)
    .execute();
  for (const row of rows) {
    if (row.redacted_by !== null || !row.json.includes('"m.relates_to"')) continue;
    const { eventId, streamOrdering, pdu } = asStoredEvent(row);
    const relation = pdu.state_key === undefined ? relationIn(pdu.content) : undefined;
    if (!relation) continue;
    const { room_id: roomId, sender, type } = pdu;
    await insertRelation(tx, { ...relation, eventId, roomId, sender, type, streamOrdering });
  }
  const last = rows.at(-1)?.stream_ordering;
  return { items: rows.length, ...(last !== undefined && { progress: { after: last } }) };
};
