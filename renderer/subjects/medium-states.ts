import { i18n } from '@lingui/core';
import { inSentence } from '../actions/items.ts';
import type { Medium } from '../api/media.ts';

/** Returns a file's states as badges. */
export function statesOf({ quarantined_by: by, safe_from_quarantine: safe }: Medium) {
  return [
    ...(by ? [{ words: i18n.t('Quarantined by {by}', { by: inSentence(by) }), grave: true }] : []),
    ...(safe ? [{ words: i18n.t('Protected'), grave: false }] : []),
  ];
}

/** Returns the file's state for the action bar. */
export const knownOf = (uri: string, medium: Medium | undefined) =>
  medium && { media: new Map([[uri, knownMedium(medium)]]) };

export const knownMedium = ({ quarantined_by: by, safe_from_quarantine: safe }: Medium) => ({
  ...(by && { quarantinedBy: by }),
  isProtected: Boolean(safe),
});
