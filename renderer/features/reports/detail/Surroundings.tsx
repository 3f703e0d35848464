import { i18n } from '@lingui/core';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { pollOf } from '../../../components/event/poll-content.ts';
import { object } from '../../../components/event/read-json.ts';
import { DetailPart } from '../../../subjects/DetailPart.tsx';
import { RoomPart } from '../../../subjects/RoomPart.tsx';
import { UserPart } from '../../../subjects/UserPart.tsx';
import { Conversation } from './Conversation.tsx';
import { EventSource } from './EventSource.tsx';
import { OtherEvent } from './OtherEvent.tsx';
import { otherEvent } from './other-event.ts';
import { PollVotes } from './PollVotes.tsx';
import { SinceThen } from './SinceThen.tsx';

type Props = {
  part: 'about' | 'since' | 'votes' | 'conversation' | 'sender' | 'room' | 'source';
  report: EventReportDetail;
};

/** A part of what is around the reported event. None waits for another. */
export function Surroundings({ part, report }: Props) {
  switch (part) {
    case 'since':
      return (
        <DetailPart title={i18n.t('Changes')} height={3}>
          <SinceThen report={report} />
        </DetailPart>
      );
    case 'about': {
      const other = otherEvent(report.event_json);
      return other ? (
        <DetailPart title={other.title} height={6}>
          <OtherEvent roomId={report.room_id} eventId={other.eventId} />
        </DetailPart>
      ) : null;
    }
    case 'votes':
      return pollOf(object(report.event_json.content) ?? {}) ? (
        <DetailPart title={i18n.t('Votes')} height={6}>
          <PollVotes report={report} />
        </DetailPart>
      ) : null;
    case 'conversation':
      return (
        <DetailPart title={i18n.t('Context')} height={26}>
          <Conversation report={report} />
        </DetailPart>
      );
    case 'source':
      return (
        <DetailPart title={i18n.t('Event source')} height={30}>
          <EventSource report={report} />
        </DetailPart>
      );
    case 'sender':
      return report.sender === null ? null : (
        <DetailPart title={i18n.t('Sender')} height={15}>
          <UserPart userId={report.sender} />
        </DetailPart>
      );
    case 'room':
      return (
        <DetailPart title={i18n.t('Room')} height={20}>
          <RoomPart roomId={report.room_id} sender={report.sender} />
        </DetailPart>
      );
  }
}
