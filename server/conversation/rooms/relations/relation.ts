/** How events say that they are about another one. Matrix specification, client-server API, "Forming relationships". */
import type { JsonObject } from '../../../../shared/api/common.ts';

export type Relation = {
  /** The event that it is about. */
  parentId: string;
  relType: string;
  /** What an annotation says. */
  key: string | null;
};

/** What an event's content says of another event; undefined where it says nothing, or nothing that can be kept. */
export function relationIn(content: JsonObject): Relation | undefined {
  const relatesTo = content['m.relates_to'];
  if (typeof relatesTo !== 'object' || relatesTo === null) return undefined;
  const { rel_type: relType, event_id: parentId, key } = relatesTo as JsonObject;
  if (!isShort(relType) || !isShort(parentId)) return undefined;
  return { parentId, relType, key: relType === 'm.annotation' && typeof key === 'string' ? key : null };
}

/** What stands in an index: no longer than what an event may be called, and without what no engine keeps. */
const isShort = (text: unknown): text is string =>
  typeof text === 'string' && Buffer.byteLength(text) <= 255 && !text.includes('\0');
