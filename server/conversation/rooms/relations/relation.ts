/** Relations between events, as their content states them. Client-server API, "Forming relationships between events". */
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { findEvent } from '../events/event-store.ts';

export type Relation = {
  /** The event that it relates to. */
  parentId: string;
  relType: string;
  /** Key of an annotation, such as an emoji. */
  key: string | null;
};

/** Returns the relation in an event's content; undefined if there is none, or none that can be stored. */
export function relationIn(content: JsonObject): Relation | undefined {
  const relatesTo = content['m.relates_to'];
  if (typeof relatesTo !== 'object' || relatesTo === null) return undefined;
  const { rel_type: relType, event_id: parentId, key } = relatesTo as JsonObject;
  if (!isIndexable(relType) || !isIndexable(parentId)) return undefined;
  return { parentId, relType, key: relType === 'm.annotation' && typeof key === 'string' ? key : null };
}

/** No longer than an event ID, and without NUL, which PostgreSQL can't store. */
const isIndexable = (text: unknown): text is string =>
  typeof text === 'string' && Buffer.byteLength(text) <= 255 && !text.includes('\0');

/** Thread ID of events that are in no thread. */
export const mainThread = 'main';

/**
 * Returns the thread ID of an event, or `main`. An event that relates to one in a thread, such as an edit, is in that
 * thread. Client-server API, "Threading".
 */
export async function threadOf(db: Database, content: JsonObject): Promise<string> {
  const relation = relationIn(content);
  if (!relation) return mainThread;
  if (relation.relType === 'm.thread') return relation.parentId;
  const parent = await findEvent(db, relation.parentId);
  const further = parent && relationIn(parent.pdu.content);
  return further?.relType === 'm.thread' ? further.parentId : mainThread;
}
