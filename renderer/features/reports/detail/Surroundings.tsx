import { i18n } from '@lingui/core';
import { lazy } from 'react';
import type { EventReportDetail } from '../../../../shared/api/event-reports.ts';
import { pollOf } from '../../../components/event/poll-content.ts';
import { object } from '../../../components/event/read-json.ts';
import { DetailPart } from '../../../subjects/DetailPart.tsx';

// Each with its own script, which comes when the part is first looked at.
const SinceThen = lazy(async () => ({ default: (await import('./SinceThen.tsx')).SinceThen }));
const Conversation = lazy(async () => ({ default: (await import('./Conversation.tsx')).Conversation }));
const PollVotes = lazy(async () => ({ default: (await import('./PollVotes.tsx')).PollVotes }));
const UserPart = lazy(async () => ({ default: (await import('../../../subjects/UserPart.tsx')).UserPart }));
const RoomPart = lazy(async () => ({ default: (await import('../../../subjects/RoomPart.tsx')).RoomPart }));

const EventSource = lazy(async () => ({ default: (await import('./EventSource.tsx')).EventSource }));

type Props = {
  part: 'since' | 'votes' | 'conversation' | 'sender' | 'room' | 'source';
  report: EventReportDetail;
};

/** A part of what is around the reported event. None waits for another. */
export function Surroundings({ part, report }: Props) {
  switch (part) {
    case 'since':
      return (
        <DetailPart title={i18n.t('Since it was sent')} height={3}>
          <SinceThen report={report} />
        </DetailPart>
      );
    case 'votes':
      return pollOf(object(report.event_json.content) ?? {}) ? (
        <DetailPart title={i18n.t('Votes')} height={6}>
          <PollVotes report={report} />
        </DetailPart>
      ) : null;
    case 'conversation':
      return (
        <DetailPart title={i18n.t('Conversation')} height={26}>
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
