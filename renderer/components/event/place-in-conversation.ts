/** What a message answers, and whose thread it is in. Matrix specification, "Rich replies" and "Threading". */
import type { JsonObject } from '../../../shared/api/common.ts';
import { eventIdIn, object, text } from './read-json.ts';

export type PlaceInConversation = { answers?: string | undefined; thread?: string | undefined };

export function placeInConversation(event: JsonObject): PlaceInConversation {
  if (text(event.state_key) !== undefined) return {};
  const relation = object(object(event.content)?.['m.relates_to']) ?? {};
  const answered = eventIdIn(object(relation['m.in_reply_to'])?.event_id);
  const thread = text(relation.rel_type) === 'm.thread' ? eventIdIn(relation.event_id) : undefined;
  // For clients without threads each message of one says that it answers the one before.
  const isAnswer = thread === undefined || relation.is_falling_back !== true;
  return { answers: isAnswer ? answered : undefined, thread };
}
