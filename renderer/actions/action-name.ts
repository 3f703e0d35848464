import { i18n } from '@lingui/core';
import { actionLabels } from './action-labels.ts';
import { inSentence } from './name-in-sentence.ts';

/** What an entry of the log is called: the label of its action, or, where a later console did it, its name there. */
export function nameOfAction({ action }: { action: string }): string {
  const label = actionLabels[action];
  return label === undefined ? inSentence(action) : i18n.t(label, { count: 1, name: '' });
}
