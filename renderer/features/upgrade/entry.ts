/** The screen together with the words that it has to itself. */
import { loadWords } from '../../words/languages.ts';

const screen = import('./UpgradeScreen.tsx');
await loadWords({
  en: () => import('../../words/upgrade/en.po'),
  de: () => import('../../words/upgrade/de.po'),
});
export const { UpgradeScreen } = await screen;
