import { i18n } from '@lingui/core';
import { lazy } from 'react';
import type { EventReportDetail } from '../../../../shared/api/event-reports.ts';
import { pollOf } from '../../../components/event/poll-content.ts';
import { object } from '../../../components/event/read-json.ts';
import { soon } from '../../../components/soon.ts';
import { DetailPart } from '../../../subjects/DetailPart.tsx';
import { otherEvent } from './other-event.ts';

// Each with its own script, so that none waits for another's.
const scripts = {
  since: async () => ({ default: (await import('./SinceThen.tsx')).SinceThen }),
  conversation: async () => ({ default: (await import('./Conversation.tsx')).Conversation }),
  about: async () => ({ default: (await import('./OtherEvent.tsx')).OtherEvent }),
  votes: async () => ({ default: (await import('./PollVotes.tsx')).PollVotes }),
  sender: async () => ({ default: (await import('../../../subjects/UserPart.tsx')).UserPart }),
  room: async () => ({ default: (await import('../../../subjects/RoomPart.tsx')).RoomPart }),
  source: async () => ({ default: (await import('./EventSource.tsx')).EventSource }),
};
const SinceThen = lazy(scripts.since);
const Conversation = lazy(scripts.conversation);
const OtherEvent = lazy(scripts.about);
const PollVotes = lazy(scripts.votes);
const UserPart = lazy(scripts.sender);
const RoomPart = lazy(scripts.room);
const EventSource = lazy(scripts.source);
// With what the list may open: its own script is there before this one.
soon(
  ...Object.values(scripts),
  () => import('../LookedThrough.tsx'),
  () => import('../EventSelection.tsx'),
  () => import('../subjects/SubjectList.tsx'),
  // What redacts an event asks for these.
  () => import('../../../api/edits.ts'),
);

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
