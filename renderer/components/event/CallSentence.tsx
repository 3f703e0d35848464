import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import type { CallStep } from './call-content.ts';
import { text } from './read-json.ts';
import { Said } from './Said.tsx';

/** A step of a call. What the devices tell each other to connect stays in the source. */
export function CallSentence({ call, type }: { call: CallStep; type: unknown }) {
  const reason = call.reason === undefined ? undefined : <Said text={call.reason} />;
  switch (call.step) {
    case 'invite':
      if (call.video === undefined) return i18n.t('Started a call');
      return call.video ? i18n.t('Started a video call') : i18n.t('Started a voice call');
    case 'ring':
      return i18n.t('Called the room');
    case 'answer':
      return i18n.t('Answered the call');
    case 'reject':
      return i18n.t('Declined the call');
    case 'hangup':
      return reason ? <Trans id="Ended the call: {reason}" values={{ reason }} /> : i18n.t('Ended the call');
    case 'negotiate':
      return i18n.t('Negotiated the call connection');
    case 'other':
      return <Trans id="Call event: {type}" values={{ type: <Said text={text(type) ?? ''} /> }} />;
  }
}
