import type { JsonObject } from '../../shared/api/common.ts';
import type { Database } from '../database/schema.ts';
import { findEvent } from '../rooms/event-store.ts';
import { relationIn } from '../rooms/relations/relation.ts';

/** What is in no thread. */
export const mainThread = 'main';

/**
 * The thread that an event is in, by the event that it hangs on, or `main`. What relates to an event of a thread, such
 * as an edit, is in that thread, too. Matrix specification, client-server API, "Threading".
 */
export async function threadOf(db: Database, content: JsonObject): Promise<string> {
  const relation = relationIn(content);
  if (!relation) return mainThread;
  if (relation.relType === 'm.thread') return relation.parentId;
  const parent = await findEvent(db, relation.parentId);
  const further = parent && relationIn(parent.pdu.content);
  return further?.relType === 'm.thread' ? further.parentId : mainThread;
}
