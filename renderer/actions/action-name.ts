import { i18n } from '@lingui/core';
import { actionById } from './catalogue/catalogue.ts';
import { inSentence } from './name-in-sentence.ts';

/** What an entry of the log is called: the label of its action, or, where a later console did it, its name there. */
export function nameOfAction({ action }: { action: string }): string {
  const known = actionById(action);
  return known ? i18n.t(known.words.label, { count: 1, name: '' }) : inSentence(action);
}
