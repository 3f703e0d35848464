import { i18n } from '@lingui/core';
import { inSentence } from '../actions/items.ts';
import type { Medium } from '../api/media.ts';

/** Returns a file's states as badges. */
export function mediaStates({ quarantined_by: by, safe_from_quarantine: safe }: Medium) {
  return [
    ...(by ? [{ words: i18n.t('Quarantined by {by}', { by: inSentence(by) }), grave: true }] : []),
    ...(safe ? [{ words: i18n.t('Protected'), grave: false }] : []),
  ];
}

/** Returns the file's state for the action bar. */
export const mediaFacts = (uri: string, medium: Medium | undefined) =>
  medium && { media: new Map([[uri, mediumFacts(medium)]]) };

export const mediumFacts = ({ quarantined_by: by, safe_from_quarantine: safe }: Medium) => ({
  ...(by && { quarantinedBy: by }),
  isProtected: Boolean(safe),
});
