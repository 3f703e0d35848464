import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { eventContent } from '../../../components/event/event-content.ts';
import { placeInConversation } from '../../../components/event/place-in-conversation.ts';
import { eventIdIn } from '../../../components/event/read-json.ts';

/** The event without which nobody can judge this one, and what it is to it. */
export function otherEvent(event: JsonObject): { eventId: string; title: string } | undefined {
  const content = eventContent(event);
  const { answers, thread } = placeInConversation(event);
  if (answers !== undefined) return { eventId: answers, title: i18n.t('In reply to') };
  if (thread !== undefined) return { eventId: thread, title: i18n.t('Thread root') };
  const eventId = 'of' in content ? eventIdIn(content.of) : undefined;
  if (eventId === undefined) return undefined;
  return {
    eventId,
    title: content.kind === 'reaction' ? i18n.t('Reaction to') : i18n.t('Related event'),
  };
}
