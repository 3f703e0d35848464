/** The screen together with the words that it has to itself. */
import { loadWords } from '../../words/languages.ts';

const screen = import('./LocalServerScreen.tsx');
await loadWords({
  en: () => import('../../words/local-server/en.po'),
  de: () => import('../../words/local-server/de.po'),
});
export const { LocalServerScreen } = await screen;
