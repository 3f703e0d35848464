/** Calls, one to one (`m.call.*`) and in a room (`m.rtc.*`), with the names that they had before. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { object, text } from './read-json.ts';

export type CallStep = {
  step: 'invite' | 'answer' | 'hangup' | 'reject' | 'ring' | 'negotiate' | 'other';
  /** Whether the one who calls sends a picture, where that is said. */
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

export function callStep(type: string, content: JsonObject): CallStep | undefined {
  const step = steps.get(type) ?? (/^m\.(call|rtc)\./.test(type) ? 'other' : undefined);
  if (!step) return undefined;
  const session = text(object(content.offer)?.sdp);
  return {
    step,
    video: session === undefined ? undefined : /^m=video/m.test(session.slice(0, 100_000)),
    callId: text(content.call_id),
    reason: text(content.reason),
  };
}
