import type { JsonObject } from '../../shared/api/common.ts';
import type { Database } from '../database/schema.ts';
import { findEvent } from '../rooms/event-store.ts';

/** What is in no thread. */
export const mainThread = 'main';

/**
 * The thread that an event is in, by the event that it hangs on, or `main`. What relates to an event of a thread, such
 * as an edit, is in that thread, too. Matrix specification, client-server API, "Threading".
 */
export async function threadOf(db: Database, content: JsonObject): Promise<string> {
  const relation = relationIn(content);
  if (!relation) return mainThread;
  if (relation.type === 'm.thread') return relation.eventId;
  const parent = await findEvent(db, relation.eventId);
  const further = parent && relationIn(parent.pdu.content);
  return further?.type === 'm.thread' ? further.eventId : mainThread;
}

function relationIn(content: JsonObject): { type: string; eventId: string } | undefined {
  const relation = content['m.relates_to'];
  if (typeof relation !== 'object' || relation === null) return undefined;
  const { rel_type: type, event_id: eventId } = relation as JsonObject;
  return typeof type === 'string' && typeof eventId === 'string' ? { type, eventId } : undefined;
}
