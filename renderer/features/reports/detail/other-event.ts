import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { eventContent } from '../../../components/event/event-content.ts';
import { placeInConversation } from '../../../components/event/place-in-conversation.ts';
import { eventIdIn } from '../../../components/event/read-json.ts';

/** The event without which nobody can judge this one, and what it is to it. */
export function otherEvent(event: JsonObject): { eventId: string; title: string } | undefined {
  const content = eventContent(event);
  const { answers, thread } = placeInConversation(event);
  if (answers !== undefined) return { eventId: answers, title: i18n.t('The message answered') };
  const eventId = 'of' in content ? eventIdIn(content.of) : thread;
  if (eventId === undefined) return undefined;
  return {
    eventId,
    title: content.kind === 'reaction' ? i18n.t('The message reacted to') : i18n.t('What it is about'),
  };
}
