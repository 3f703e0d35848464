import { i18n } from '@lingui/core';
import { ConnectionFailure } from '../../shared/connection.ts';

/** A failure's own sentence; anything else is the console's fault and gets one too. */
export function failureSentence(error: Error): string {
  if (!(error instanceof ConnectionFailure)) {
    return i18n.t('The console could not handle the reply. Try again; if it comes back, report it.');
  }
  const sentence = i18n.t(error.sentence, error.values);
  // The log holds what the server said itself.
  if (error.code !== 'refused' || error.values.error === undefined) return sentence;
  return i18n.t("{sentence} If it stays so, the server's log says more.", {
    sentence: sentence.replace(/\.?$/, '.'),
  });
}
