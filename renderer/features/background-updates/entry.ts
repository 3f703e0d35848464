/** The screen together with the words that it has to itself. */
import { administrationWords } from '../../words/administration/load.ts';

const screen = import('./BackgroundUpdatesScreen.tsx');
await administrationWords();
export const { BackgroundUpdatesScreen } = await screen;
