import { i18n } from '@lingui/core';
import { actionLabels } from './action-labels.ts';
import { inSentence } from './name-in-sentence.ts';

/** What an entry of the log is called: the label of its action, or, where a later console did it, its name there. */
export function nameOfAction({ action }: { action: string }): string {
  // Any word can stand there, also what every object has.
  const label = Object.hasOwn(actionLabels, action) ? actionLabels[action] : undefined;
  return label === undefined ? inSentence(action) : i18n.t(label, { count: 1, users: 1, name: '' });
}
