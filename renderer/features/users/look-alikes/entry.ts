/** The screen together with the words that it shares with others that are seldom opened. */
import { administrationWords } from '../../../words/administration/load.ts';

const screen = import('./LookAlikesScreen.tsx');
await administrationWords();
export const { LookAlikesScreen } = await screen;
