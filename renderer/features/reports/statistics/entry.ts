/** The screen together with the words that it shares with others that are seldom opened. */
import { administrationWords } from '../../../words/administration/load.ts';

const screen = import('./StatisticsScreen.tsx');
await administrationWords();
export const { StatisticsScreen } = await screen;
