/** The screen together with the words that it has to itself. */
import { administrationWords } from '../../words/administration/load.ts';

const screen = import('./SettingsScreen.tsx');
await administrationWords();
export const { SettingsScreen } = await screen;
