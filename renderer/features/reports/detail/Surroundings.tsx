import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { currentEventQuery } from '../../../api/event-context.ts';
import { Avatar } from '../../../components/Avatar.tsx';
import { EventView } from '../../../components/event/EventView.tsx';
import { eventContent } from '../../../components/event/event-content.ts';
import { eventRelations, readPoll } from '../../../components/event/message-content.ts';
import { eventIdIn, object, text } from '../../../components/event/read-json.ts';
import { Identity } from '../../../components/Identity.tsx';
import { JsonViewer } from '../../../components/json/JsonViewer.tsx';
import { useServer } from '../../../console-context.ts';
import { DetailSection } from '../../../subjects/DetailSection.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { RoomDetails } from '../../../subjects/RoomDetails.tsx';
import { UserDetails } from '../../../subjects/UserDetails.tsx';
import { EvidenceExport } from '../evidence/EvidenceExport.tsx';
import { Conversation } from './Conversation.tsx';
import { EventIntegrity } from './EventIntegrity.tsx';
import { PollVotes } from './PollVotes.tsx';
import classes from './ReportDetail.module.css';
import { SinceThen } from './SinceThen.tsx';

type Props = {
  part: 'about' | 'since' | 'votes' | 'conversation' | 'sender' | 'room' | 'source';
  report: EventReportDetail;
};

/** A section about the reported event. Sections load independently. */
export function Surroundings({ part, report }: Props) {
  switch (part) {
    case 'since':
      return (
        <DetailSection title={i18n.t('Changes')} height={1.5} untitled>
          <SinceThen report={report} />
        </DetailSection>
      );
    case 'about': {
      const other = otherEvent(report.event_json);
      return other ? (
        <DetailSection title={other.title} height={6}>
          <OtherEvent roomId={report.room_id} eventId={other.eventId} />
        </DetailSection>
      ) : null;
    }
    case 'votes':
      return readPoll(object(report.event_json.content) ?? {}) ? (
        <DetailSection title={i18n.t('Votes')} height={6}>
          <PollVotes report={report} />
        </DetailSection>
      ) : null;
    case 'conversation':
      return (
        <DetailSection title={i18n.t('Context')} height={26}>
          <Conversation report={report} />
        </DetailSection>
      );
    case 'source':
      return (
        <DetailSection title={i18n.t('Event source')} height={30}>
          <EventSource report={report} />
        </DetailSection>
      );
    case 'sender':
      return report.sender === null ? null : (
        <DetailSection title={i18n.t('Sender')} height={15}>
          <UserDetails userId={report.sender} />
        </DetailSection>
      );
    case 'room':
      return (
        <DetailSection title={i18n.t('Room')} height={20}>
          <RoomDetails roomId={report.room_id} sender={report.sender} />
        </DetailSection>
      );
  }
}

/** The event that the reported one relates to. */
export function otherEvent(event: JsonObject): { eventId: string; title: string } | undefined {
  const content = eventContent(event);
  const { answers, thread } = eventRelations(event);
  if (answers !== undefined) return { eventId: answers, title: i18n.t('In reply to') };
  if (thread !== undefined) return { eventId: thread, title: i18n.t('Thread root') };
  const eventId = 'of' in content ? eventIdIn(content.of) : undefined;
  if (eventId === undefined) return undefined;
  return {
    eventId,
    title: content.kind === 'reaction' ? i18n.t('Reaction to') : i18n.t('Related event'),
  };
}

/** The event that the reported one is about. */
function OtherEvent({ roomId, eventId }: { roomId: string; eventId: string }) {
  const query = useQuery(currentEventQuery(useServer(), roomId, eventId));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading message…')}
      notFound={i18n.t('Event unavailable. Its room or history was purged.')}
    >
      {({ event, names }) => {
        const sender = text(event.sender);
        return (
          <div className={classes.related}>
            <header className={classes.relatedByline}>
              {sender === undefined ? (
                <strong>{i18n.t('Unknown sender')}</strong>
              ) : (
                <>
                  <Avatar id={sender} name={names.get(sender)} size={18} />
                  <span>
                    <Identity id={sender} name={names.get(sender)} />
                  </span>
                </>
              )}
            </header>
            <EventView event={event} besideEventId={eventRelations(event).thread} />
          </div>
        );
      }}
    </Loaded>
  );
}

/** The event's source and integrity. */
function EventSource({ report }: { report: EventReportDetail }) {
  return (
    <>
      <EventIntegrity report={report} />
      <EvidenceExport report={report} />
      <JsonViewer value={report.event_json} label="event_json" />
    </>
  );
}
