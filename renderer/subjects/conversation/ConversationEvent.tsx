import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, memo, type ReactNode, type Ref } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { storedEventQuery } from '../../api/event-context.ts';
import { Disclosure } from '../../components/Disclosure.tsx';
import { EventView } from '../../components/event/EventView.tsx';
import { eventContent } from '../../components/event/event-content.ts';
import { text } from '../../components/event/read-json.ts';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useServer } from '../../console-context.ts';
import { ellipsize } from '../../words/clip.ts';
import { UserChip } from '../chips.tsx';
import { Loaded } from '../Loaded.tsx';
import classes from './Conversation.module.css';

type Props = {
  event: JsonObject;
  senderName?: string | undefined;
  /** The event that the timeline is about. */
  isReported?: boolean;
  /** The target of a date search or a link. */
  isTarget?: boolean;
  /** Whether the reported user sent it. */
  isByReportedUser?: boolean;
  /** Hides the byline: the previous event is by the same sender, just before. */
  continues: boolean;
  /** Replaces the event's content. */
  content?: ReactNode;
  /** Its position in a virtual list. */
  position?: { index: number; style: CSSProperties; ref: Ref<HTMLLIElement> };
};

/** Renders an event of a timeline as safely as a reported one. */
export const ConversationEvent = memo(function ConversationEvent(props: Props) {
  const { event, senderName, isReported = false, isTarget = false, isByReportedUser = false } = props;
  const { continues, content, position } = props;
  const sender = text(event.sender);
  const sent = event.origin_server_ts;
  const isState = text(event.state_key) !== undefined;
  const eventId = text(event.event_id);
  const isRedacted = eventContent(event).kind === 'redacted';
  return (
    <li
      ref={position?.ref}
      style={position?.style}
      data-index={position?.index}
      className={classes.event}
      data-reported={isReported || isTarget || undefined}
      data-sender={isByReportedUser || undefined}
      data-state={isState || undefined}
      aria-current={isReported || isTarget ? 'true' : undefined}
    >
      {(!continues || isReported || isTarget) && (
        <div className={classes.byline}>
          {sender === undefined ? (
            <em>{i18n.t('Unknown sender')}</em>
          ) : (
            <UserChip kind={i18n.t('Sender')} id={ellipsize(sender)} name={senderName} quiet />
          )}
          {isReported && <span className={classes.badge}>{i18n.t('Reported')}</span>}
          {typeof sent === 'number' && (
            <span className={classes.when}>
              <RelativeTime timestamp={sent} long />
            </span>
          )}
        </div>
      )}
      {content ?? <EventView event={event} brief />}
      {isRedacted && !isReported && eventId !== undefined && (
        <Disclosure label={i18n.t('Redacted content')}>
          <RedactedContent eventId={eventId} />
        </Disclosure>
      )}
    </li>
  );
});

/** Renders redacted content if the server still stores it. */
function RedactedContent({ eventId }: { eventId: string }) {
  const query = useQuery(storedEventQuery(useServer(), eventId));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading content…')}
      notFound={i18n.t('Content no longer available.')}
    >
      {(event) => <EventView event={event} />}
    </Loaded>
  );
}
