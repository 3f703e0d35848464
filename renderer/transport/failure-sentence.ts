import { i18n } from '@lingui/core';
import { ConnectionFailure } from '../../shared/connection.ts';

/** A failure's own sentence; anything else is the console's fault and gets one too. */
export function failureSentence(error: Error): string {
  if (!(error instanceof ConnectionFailure)) {
    return i18n.t("Couldn't process the response. Retry; if this happens again, report it.");
  }
  const sentence = i18n.t(error.sentence, error.values);
  // The log holds what the server said itself.
  if (error.code !== 'refused' || error.values.error === undefined) return sentence;
  return i18n.t('{sentence} If this persists, check the server log.', {
    sentence: sentence.replace(/\.?$/, '.'),
  });
}
