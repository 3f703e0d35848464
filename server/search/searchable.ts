/** What of an event can be found. */
import type { JsonObject } from '../../shared/api/common.ts';

/** Which events are found by which part of them. */
export const keyOfType: ReadonlyMap<string, 'content.body' | 'content.name' | 'content.topic'> = new Map([
  ['m.room.message', 'content.body'],
  ['m.room.name', 'content.name'],
  ['m.room.topic', 'content.topic'],
]);

/** The text by which an event is found; undefined for one that isn't. */
export function searchableText(type: string, content: JsonObject): string | undefined {
  const text = content[keyOfType.get(type)?.slice('content.'.length) ?? ''];
  return typeof text === 'string' ? text : undefined;
}
