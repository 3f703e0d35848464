import { i18n } from '@lingui/core';
import { builtInWordLists, knownFilesKey } from '../../shared/team/word-lists.ts';

/** Returns the name of a rule or word list. Those that come with Gatehouse are translated until they're renamed. */
export function ruleName({ key, name }: { key: string; name: string }): string {
  if (builtInWordLists[key]?.name !== name) return name;
  switch (key) {
    case 'self-harm':
      return i18n.t('Self-harm');
    case 'minors':
      return i18n.t('Minors');
    case 'threats':
      return i18n.t('Threats');
    case knownFilesKey:
      return i18n.t('Known files');
    default:
      return name;
  }
}
