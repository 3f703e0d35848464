/** Reads an event's content without trust: any field may be missing or false. */
import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../shared/api/common.ts';
import {
  type GeoLocation,
  type MediaFile,
  type MessageContent,
  mediaFile,
  messageContent,
  type Poll,
  pollAnswers,
  pollEnd,
  readLocation,
  readPoll,
} from './message-content.ts';
import { object, relatesTo, text } from './read-json.ts';

export type EventContent =
  | MessageContent
  | { kind: 'redacted'; by?: string; reason?: string }
  | { kind: 'encrypted'; algorithm: string }
  | { kind: 'sticker'; media: MediaFile }
  | { kind: 'poll'; poll: Poll }
  | { kind: 'poll-response'; of?: string; answers: string[] }
  | { kind: 'poll-end'; of?: string; text?: string }
  | { kind: 'place'; place: GeoLocation }
  | { kind: 'reaction'; of?: string; key: string }
  | { kind: 'redaction'; of?: string; reason?: string }
  | { kind: 'call'; step: CallStep }
  | { kind: 'state'; type: string }
  | { kind: 'other'; type: string; body?: string };

export function eventContent(event: JsonObject): EventContent {
  const type = text(event.type) ?? i18n.t('unknown event type');
  const content = object(event.content) ?? {};
  const unsigned = object(event.unsigned) ?? {};
  const redaction = object(unsigned.redacted_because);
  if (redaction || unsigned.redacted_by !== undefined) {
    return {
      kind: 'redacted',
      by: text(redaction?.sender),
      reason: text(object(redaction?.content)?.reason),
    };
  }
  if (text(event.state_key) !== undefined) {
    const live = /^(m|org\.matrix\.msc3672)\.beacon_info$/.test(type);
    return live ? { kind: 'place', place: readLocation(content) } : { kind: 'state', type };
  }
  const isEmpty = Object.keys(content).length === 0;
  switch (type) {
    case 'm.room.message':
      return isEmpty ? { kind: 'redacted' } : messageContent(content);
    case 'm.room.encrypted':
      return { kind: 'encrypted', algorithm: text(content.algorithm) ?? i18n.t('unknown algorithm') };
    case 'm.room.redaction':
      return {
        kind: 'redaction',
        of: text(content.redacts) ?? text(event.redacts),
        reason: text(content.reason),
      };
    case 'm.reaction': {
      const relation = object(content['m.relates_to']);
      const key = text(relation?.key);
      if (key !== undefined) return { kind: 'reaction', of: text(relation?.event_id), key };
      break;
    }
    case 'm.sticker':
      return { kind: 'sticker', media: mediaFile('sticker', content) };
    case 'm.location':
    case 'm.beacon':
    case 'org.matrix.msc3672.beacon':
      return { kind: 'place', place: readLocation(content) };
    case 'm.poll.start':
    case 'org.matrix.msc3381.poll.start': {
      const poll = readPoll(content);
      if (poll) return { kind: 'poll', poll };
      break;
    }
    case 'm.poll.response':
    case 'org.matrix.msc3381.poll.response':
      return { kind: 'poll-response', of: relatesTo(content), answers: pollAnswers(content) };
    case 'm.poll.end':
    case 'org.matrix.msc3381.poll.end':
      return { kind: 'poll-end', of: relatesTo(content), text: pollEnd(content) };
  }
  const step = callStep(type, content);
  if (step) return { kind: 'call', step };
  return { kind: 'other', type, body: text(content.body) };
}

// One-to-one calls (`m.call.*`) and room calls (`m.rtc.*`), with their unstable names.

export type CallStep = {
  step: 'invite' | 'answer' | 'hangup' | 'reject' | 'ring' | 'negotiate' | 'other';
  /** Undefined if the event doesn't contain it. */
  video?: boolean;
  callId?: string;
  reason?: string;
};

const steps = new Map<string, CallStep['step']>([
  ['m.call.invite', 'invite'],
  ['m.call.answer', 'answer'],
  ['m.call.hangup', 'hangup'],
  ['m.call.reject', 'reject'],
  ['m.call.notify', 'ring'],
  ['m.rtc.notification', 'ring'],
  ['org.matrix.msc4075.call.notify', 'ring'],
  ['org.matrix.msc4075.rtc.notification', 'ring'],
  ['m.call.candidates', 'negotiate'],
  ['m.call.negotiate', 'negotiate'],
  ['m.call.select_answer', 'negotiate'],
  ['m.call.sdp_stream_metadata_changed', 'negotiate'],
  ['org.matrix.call.sdp_stream_metadata_changed', 'negotiate'],
]);

function callStep(type: string, content: JsonObject): CallStep | undefined {
  const step = steps.get(type) ?? (/^m\.(call|rtc)\./.test(type) ? 'other' : undefined);
  if (!step) return undefined;
  const sdp = text(object(content.offer)?.sdp);
  return {
    step,
    video: sdp === undefined ? undefined : /^m=video/m.test(sdp.slice(0, 100_000)),
    callId: text(content.call_id),
    reason: text(content.reason),
  };
}
