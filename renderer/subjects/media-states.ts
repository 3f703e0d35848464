import { i18n } from '@lingui/core';
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import type { Medium } from '../api/media.ts';
import type { State } from '../components/State.tsx';
import { inSentence } from '../components/text-hazards.ts';

/** Returns a file's states as badges. @param isShort says in a tooltip who quarantined it */
export function mediaStates(
  { quarantined_by: by, safe_from_quarantine: safe }: Medium,
  isShort = false,
): State[] {
  const inFull = by ? i18n.t('Quarantined by {by}', { by: inSentence(by) }) : '';
  const states: (State & { is: unknown })[] = [
    {
      is: by,
      words: isShort ? i18n.t('Quarantined') : inFull,
      when: isShort ? inFull : undefined,
      tone: 'warning',
      icon: IconShieldX,
    },
    { is: safe, words: i18n.t('Protected'), tone: 'success', icon: IconShieldCheck },
  ];
  return states.filter(({ is }) => Boolean(is));
}

/** Returns the file's state for the action bar. */
export const mediaFacts = (uri: string, medium: Medium | undefined) =>
  medium && { media: new Map([[uri, mediumFacts(medium)]]) };

export const mediumFacts = ({ quarantined_by: by, safe_from_quarantine: safe }: Medium) => ({
  ...(by && { quarantinedBy: by }),
  isProtected: Boolean(safe),
});
